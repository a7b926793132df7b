// The pages of data; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isData } from './lib/guides.mjs';

describeLooks(['anyone'], { name: 'anyone, data', has: isData });
