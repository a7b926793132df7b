// The pages that find members and flags; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isFinding } from './lib/guides.mjs';

describeLooks(['anyone'], { name: 'anyone, members and flags', has: isFinding });
