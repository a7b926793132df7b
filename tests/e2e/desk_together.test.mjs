// Several people at the review desk, and one person in several windows: the order in which drafts
// are offered, two acceptances of a paper, claims that end, and words that were typed.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { CLEAN, DOUBTFUL, FAILED, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { text as textOf } from './lib/html.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

const CLOCK = '2025-02-01T12:00:00Z';
const ROW = { assetName: 'Garden Mills', side: 'buy', amountBucket: '1k_15k' };

describe('two reviewers', () => {
  const shared = useSite({ clock: CLOCK, env: { STOCKACT_SECOND_REVIEWER: '1' } }, async (site) => {
    await fillDesk(site);
    const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const ben = await makeOwner(site, { email: 'ben@example.org', role: 'reviewer' });
    const server = await site.serve();
    return {
      site,
      server,
      ann: await signInOnPage(server, ann),
      ben: await signInOnPage(server, ben),
    };
  });
  const open = (who, rest = '') => shared[who].open(`/desk${rest}`);
  const press = (who, page, button, fill = {}, options = { status: 200 }) =>
    shared[who].submit(page.form(button), fill, { button, ...options });
  const nextOf = (page) =>
    page.all('a[data-key="n"]').map(({ attribs }) => attribs.href.replace(/\?.*/, ''))[0];
  const trades = async (document) => {
    const { data } = await shared.server.json('/api/v1/trades?limit=50');
    return data.filter(({ id }) => id.startsWith(idOf(document)));
  };

  /** The drafts that "Skip to the next" goes through, from the first one on. */
  const walk = async (who, query) => {
    const seen = [];
    let next = nextOf(await open(who, `?${query}`));
    while (next !== '/desk') {
      assert.ok(seen.length < 20, `${seen} never ends`);
      seen.push(next.replace('/desk/', ''));
      next = nextOf(await shared[who].open(`${next}?${query}`));
    }
    return seen;
  };
  const listed = async (who, query) =>
    (await open(who, `?${query}`)).all('tbody td:first-child a').map(textOf);

  test('"Skip to the next" goes through the list in its order, and ends', async () => {
    for (const query of ['sort=clean', 'sort=newest', 'sort=doubts&kind=read', 'q=2099000']) {
      const list = await listed('ann', query);
      assert.ok(list.length >= 6);
      assert.deepEqual(await walk('ann', query), list, query);
    }
  });

  test('a draft that another person claimed is skipped', async () => {
    await press('ben', await open('ben', `/${idOf(CLEAN[2])}`), 'Claim');
    const passed = await walk('ann', 'sort=clean');
    assert.equal(passed.includes(idOf(CLEAN[2])), false);
    assert.equal((await walk('ben', 'sort=clean')).includes(idOf(CLEAN[2])), true);
  });

  test('the first acceptance of a paper publishes nothing, and says so', async () => {
    const id = idOf(SCAN);
    await press('ann', await open('ann', `/${id}/rows`), 'Add the row', {
      ...ROW,
      ...{ tradeDate: '2025-01-10', page: '1' },
    });
    const page = await open('ann', `/${id}`);
    assert.equal(page.text('form.verdict').includes('Accept and publish'), false);
    const answer = await press('ann', page, 'Accept, next');
    assert.match(answer.text('.flash'), /published after a second person accepts it too/);
    assert.deepEqual(await trades(SCAN), []);

    const mine = await open('ann', `/${id}`);
    assert.match(mine.text(), /You accepted this draft.*A second person must accept it too/s);
    assert.equal(mine.text('form.verdict').includes('Accept'), false);
    assert.equal((await walk('ann', 'sort=clean')).includes(id), false);

    const second = await open('ben', `/${id}`);
    assert.match(second.text(), /Accepted by ann@example\.org/);
    const done = await press('ben', second, 'Accept and publish');
    assert.match(done.text('.flash'), /The filing is public/);
    assert.equal((await trades(SCAN)).length, 1);
  });

  test('an accepted draft leads to the next of its list', async () => {
    const [first, second] = CLEAN.map(idOf);
    const answer = await press('ann', await open('ann', `/${first}?sort=oldest`), 'Accept, next');
    assert.match(answer.text('.flash'), /The draft is accepted/);
    assert.equal(answer.target, `/desk/${second}?sort=oldest`);
    await press('ann', await open('ann', `/${second}`), 'Accept, next');
    assert.equal(nextOf(await open('ann', `/${first}?stage=accepted`)), undefined);
    const published = await press('ben', await open('ben', `/${first}?stage=accepted`), 'Publish');
    assert.equal(published.target, `/desk/${second}?stage=accepted`);
  });

  test('of two people who decide about one draft at once, only one succeeds', async () => {
    const id = idOf(CLEAN[3]);
    const pages = { ann: await open('ann', `/${id}`), ben: await open('ben', `/${id}`) };
    const answers = await Promise.all(
      ['ann', 'ben'].map((who) => press(who, pages[who], 'Accept and publish', {}, {})),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
    const refused = answers.find(({ status }) => status === 422);
    assert.match(refused.text('.faults'), /is published: it cannot be accepted|changed since/);
    assert.equal((await trades(CLEAN[3])).length, 1);
  });

  test('an expired claim keeps the input, and another reviewer can continue', async () => {
    const id = idOf(DOUBTFUL);
    await press('ann', await open('ann', `/${id}`), 'Claim');
    const late = await open('ann', `/${id}/rows/2`);
    await shared.site.clock.advance(31 * 60 * 1000);
    await press('ben', await open('ben', `/${id}/rows/2`), 'Save the row', {
      tradeDate: '2025-01-03',
    });
    const typed = { assetName: 'Harbor Tools Inc' };
    const answer = await press('ann', late, 'Save the row', typed, { status: 422 });
    assert.match(answer.text('.faults'), /held by ben@example\.org/);
    assert.equal(answer.form('Save the row').value('assetName'), 'Harbor Tools Inc');
    assert.match(answer.text('#f-tradeDate-said'), /The row now says: 2025-01-03/);
    assert.match(answer.text('#f-assetName-said'), /The row now says: Harbor Tools/);
    assert.equal(answer.all('#f-side-said').length, 0);
    await shared.site.clock.advance(31 * 60 * 1000);
    await press('ann', answer, 'Save the row', { tradeDate: '2025-01-03' });
    const { rows } = await shared.ann.json(`/desk/${id}`);
    assert.equal(rows.rows[1].assetName, 'Harbor Tools Inc');
    assert.equal(rows.rows[1].tradeDate, '2025-01-03');
  });

  test('one draft in two windows of one person', async () => {
    const id = idOf(FAILED);
    const [one, two] = [await open('ann', `/${id}/rows/1`), await open('ann', `/${id}/rows/1`)];
    await press('ann', one, 'Delete the row');
    const again = await press('ann', two, 'Delete the row', {}, { status: 422 });
    assert.match(again.text('.faults'), /changed since/);
    const { history } = await shared.ann.json(`/desk/${id}`);
    assert.equal(history.filter(({ action }) => action === 'delete_row').length, 1);
  });
});
