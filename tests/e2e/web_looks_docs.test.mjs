// The pages of the reference but those of endpoints; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isEndpoint, isGuide } from './lib/guides.mjs';

const has = (target) => target.startsWith('/docs') && !isGuide(target) && !isEndpoint(target);

describeLooks(['anyone'], { name: 'anyone, reference', has });
