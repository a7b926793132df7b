// A server with one endpoint at a scripted receiver, under a clock that the test moves.

import { CLOCK, Delivering } from './delivering.mjs';
import { answer, Receiver } from './receivers.mjs';
import { until } from './until.mjs';

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

export const status = (own, code) => (own.receiver.play = answer(code));
export const webhooks = async (own, ...args) => (await own.site.stockact('webhooks', ...args))[0];
export const shown = (own) => webhooks(own, 'show', '--id', own.endpointAdded.id);

/** A Delivering with `receiver`, `server` and `endpointAdded`: {id, secret}. */
export async function openEndpoint(t, options) {
  const own = await Delivering.open(t, { clock: CLOCK, ...options });
  own.receiver = await Receiver.start(t);
  own.server = await own.serve();
  own.endpointAdded = await own.endpoint(own.receiver.url());
  return own;
}

export const received = (own, n) =>
  until(`${n} requests`, () => own.receiver.requests.length === n);
