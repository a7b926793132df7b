// The reviewer of tests, as options of commands.

export const REVIEWER = 'editor@example.org';
export const BY = ['--by', REVIEWER];
export const because = (reason) => [...BY, '--reason', reason];
