// The pages of the guides; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isGuide } from './lib/guides.mjs';

describeLooks(['anyone'], { name: 'anyone, guides', has: isGuide });
