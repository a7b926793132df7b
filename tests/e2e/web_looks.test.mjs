// The pages that anyone may see, without the documentation and the data; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isData } from './lib/guides.mjs';

const has = (target) => !target.startsWith('/docs') && !isData(target);

describeLooks(['anyone'], { name: 'anyone', has });
