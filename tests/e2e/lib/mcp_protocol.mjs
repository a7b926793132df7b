// What the tests of stockact-mcp have in common, with and without a client in between: where it
// lies, and which versions of the protocol it speaks.

import path from 'node:path';
import { binary } from './settings.mjs';

/** It lies beside the program under test. */
export const mcpProgram = path.join(path.dirname(binary), 'stockact-mcp');

export const STATELESS_VERSION = '2026-07-28';
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
