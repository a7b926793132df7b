// The pages of the reference; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isGuide } from './lib/guides.mjs';

const has = (target) => target.startsWith('/docs') && !isGuide(target);

describeLooks(['anyone'], { name: 'anyone, reference', has });
