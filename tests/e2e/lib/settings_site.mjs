// Owners at their settings, with a mail server.

import { makeMailSite } from './mail_sink.mjs';
import { makeOwner, signInOnPage } from './people.mjs';

export const SETTINGS = '/account/settings';

/** A site with a mail server, a server, and an owner who is signed in. */
export async function openSettings(t, options) {
  const { sink, site } = await makeMailSite(t, options);
  const owner = await makeOwner(site);
  const server = await site.serve();
  return { sink, site, owner, server, visitor: await signInOnPage(server, owner) };
}
