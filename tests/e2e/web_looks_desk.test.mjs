// The pages of reviewers; see lib/every_page_tests.mjs.

import { describeLooks } from './lib/every_page_tests.mjs';

describeLooks(['reviewer']);
