// deploy/container/Containerfile as its stages and their instructions.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { root } from './settings.mjs';

class Stage {
  constructor(base) {
    this.base = base;
    this.instructions = [];
  }

  /** The arguments of each instruction of this kind. */
  all(kind) {
    return this.instructions.filter((one) => one.kind === kind).map((one) => one.text);
  }

  one(kind) {
    const [text, ...more] = this.all(kind);
    if (text === undefined || more.length) throw new Error(`there must be one ${kind}`);
    return text;
  }

  json(kind) {
    return JSON.parse(this.one(kind));
  }

  environment() {
    const words = this.all('ENV').flatMap((text) => text.split(' '));
    return Object.fromEntries(words.map((word) => word.split(/=(.*)/s, 2)));
  }
}

export function containerFile() {
  const text = readFileSync(path.join(root, 'deploy/container/Containerfile'), 'utf8');
  const stages = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const kind = instruction.getKeyword();
    const content = (instruction.getRawArgumentsContent() ?? '').replace(/\s*\\\n\s*/g, ' ').trim();
    if (kind === 'FROM') stages.push(new Stage(instruction.getImage()));
    else stages.at(-1).instructions.push({ kind, text: content });
  }
  return { stages, last: stages.at(-1) };
}
