// Which pages of the documentation are guides: the others are the reference.

const GUIDE =
  /^\/docs\/(webhook|verifiers|develop|mcp|conflict|industries|audit|operate|review|after|sync)/;

export const isGuide = (target) => GUIDE.test(target);
