// Loaded into each test file by run.mjs: writes down what the file cost, with its child processes.

import { appendFileSync, readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const began = Date.now();
let unreaped = 0; // seconds of processes whose end no process waits for

/** {parent, seconds} of a process, its time with that of the children it has waited for. */
function readStat(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
  return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
}

function readProcesses() {
  const processes = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      processes.set(Number(pid), readStat(pid));
    } catch {
      // it has ended
    }
  }
  return processes;
}

/** Chromium leaves its own children to init when it ends: call this before. */
export function countGrandchildren() {
  const processes = readProcesses();
  const depth = (pid) => {
    const parent = processes.get(pid)?.parent;
    if (parent === process.pid) return 1;
    return parent ? 1 + depth(parent) : NaN;
  };
  for (const [pid, { seconds }] of processes) if (depth(pid) > 1) unreaped += seconds;
}

if (process.env.STOCKACT_TEST_COSTS && process.argv[1]?.endsWith('.test.mjs')) {
  process.on('exit', () => {
    const name = process.argv[1].split('/').at(-1).replace('.test.mjs', '');
    const seconds = readStat('self').seconds + unreaped;
    const line = [name, seconds.toFixed(1), ((Date.now() - began) / 1000).toFixed(1)].join(' ');
    appendFileSync(process.env.STOCKACT_TEST_COSTS, `${line}\n`);
  });
}
