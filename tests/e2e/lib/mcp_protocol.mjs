// Shared by the tests of stockact-mcp with and without a client: the program's path, and the
// protocol versions that it supports.

import path from 'node:path';
import { binary } from './settings.mjs';

/** It is next to the program under test. */
export const mcpProgram = path.join(path.dirname(binary), 'stockact-mcp');

export const STATELESS_VERSION = '2026-07-28';
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
