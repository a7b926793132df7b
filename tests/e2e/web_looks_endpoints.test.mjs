// The pages of the reference about endpoints; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isEndpoint } from './lib/guides.mjs';

describeLooks(['anyone'], { name: 'anyone, endpoints', has: isEndpoint });
