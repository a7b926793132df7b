// The part of the table of actions (action_table.mjs) that is about alerts.

import { BY_LINK, newest, run } from './action_ways.mjs';
import { confirmLink, endLink } from './alerts.mjs';

const alertPage = (own) => `/account/alerts/${own.alert}`;

/** An action on the own alert by a button of its page. */
const onAlert = (label, verb) => ({
  row: (own) => ({ subject: 'alert', subjectId: own.alert }),
  form: (own) => ({ at: alertPage(own), form: label }),
  json: (own) => ({ to: `${alertPage(own)}/${verb}`, body: {} }),
  command: (own) => ({ args: ['alerts', verb, '--id', own.alert] }),
});

/** The address has not been confirmed, and got no letter a moment ago. */
const unconfirm = ({ site }) =>
  site.database.execute(
    'UPDATE account SET confirmed_at = NULL;' +
      " UPDATE mail SET created_at = 0 WHERE kind = 'alerts_confirm'",
  );

export const ALERT_ACTIONS = {
  'alert.add': {
    row: (own) => ({ subject: 'alert', subjectId: own.alert }),
    form: () => ({ form: 'Add the alert', fill: { ticker: 'NVDA' } }),
    json: () => ({ to: '/account/alerts', body: { ticker: 'NVDA', pace: 'daily' } }),
    command: (own) => ({
      args: ['alerts', 'add', '--email', own.email, '--ticker', 'NVDA', '--pace', 'daily'],
    }),
    after: async (own) => (own.alert = await newest(own, 'alert')),
  },
  'alert.change': {
    ...onAlert(),
    form: (own) => ({ at: alertPage(own), form: 'Save', fill: { chamber: 'senate' } }),
    json: (own) => ({
      to: alertPage(own),
      body: { ticker: 'NVDA', chamber: 'senate', pace: 'weekly' },
    }),
    command: (own) => ({ args: ['alerts', 'change', '--id', own.alert, '--chamber', 'senate'] }),
  },
  'alert.pause': onAlert('Pause', 'pause'),
  'alert.resume': onAlert('Resume', 'resume'),
  'alerts.confirm_ask': {
    once: unconfirm,
    form: () => ({ at: '/account/alerts', form: 'Send the link again' }),
    json: () => ({ to: '/account/alerts/confirm', body: {} }),
    command: (own) => ({ args: ['alerts', 'confirm', '--email', own.email] }),
  },
  'alerts.confirm': {
    form: async (own) => ({
      at: await confirmLink(own.sink, own.email, 2), // the first is from the first alert
      form: '/alerts/confirm',
    }),
    without: { json: BY_LINK, command: BY_LINK },
  },
  'alerts.end_all': {
    form: async (own) => ({
      at: await endLink(own.site, own.id),
      form: 'End all alerts',
    }),
    without: { json: BY_LINK, command: '`alerts end` ends each' },
  },
  'alert.end': {
    ...onAlert('End the alert', 'end'),
    command: async (own) => {
      await run(own, ['alerts', 'add', '--email', own.email, '--ticker', 'AAPL']);
      own.alert = await newest(own, 'alert');
      return { args: ['alerts', 'end', '--id', own.alert] };
    },
    form: async (own) => {
      await run(own, ['alerts', 'add', '--email', own.email, '--ticker', 'AAPL']);
      own.alert = await newest(own, 'alert');
      return { at: alertPage(own), form: 'End the alert' };
    },
    json: async (own) => {
      await run(own, ['alerts', 'add', '--email', own.email, '--ticker', 'AAPL']);
      own.alert = await newest(own, 'alert');
      return { to: `${alertPage(own)}/end`, body: {} };
    },
  },
};
