// The pages that anyone may see, without the documentation; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';

const has = (target) => !target.startsWith('/docs');

describeLooks(['anyone'], { name: 'anyone', has });
