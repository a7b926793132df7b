// The pages of data, without those that find members and flags; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';
import { isData, isFinding } from './lib/guides.mjs';

const has = (target) => isData(target) && !isFinding(target);

describeLooks(['anyone'], { name: 'anyone, data', has });
