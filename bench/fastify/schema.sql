-- A typical schema for the same page: one row per trade, an index per filter in feed order.
CREATE TABLE politicians (
    slug text PRIMARY KEY,
    name text NOT NULL,
    chamber text NOT NULL,
    party text,
    state text
);
CREATE TABLE trades (
    id text PRIMARY KEY,
    politician_slug text NOT NULL REFERENCES politicians,
    ticker text,
    asset_name text NOT NULL,
    asset_type text,
    side text NOT NULL,
    amount_bucket text NOT NULL,
    trade_date date,
    disclosed_at timestamptz NOT NULL,
    filing_url text,
    owner_type text,
    conflict_signal boolean NOT NULL,
    conflict_reason text
);
CREATE TABLE api_keys (
    hash bytea PRIMARY KEY,
    per_minute integer NOT NULL,
    per_month integer NOT NULL
);
\copy politicians FROM 'politicians.csv' CSV
\copy trades FROM 'trades.csv' CSV
CREATE INDEX trades_feed ON trades (disclosed_at DESC, id DESC);
CREATE INDEX trades_by_ticker ON trades (ticker, disclosed_at DESC, id DESC);
CREATE INDEX trades_by_politician ON trades (politician_slug, disclosed_at DESC, id DESC);
VACUUM ANALYZE;
