-- Amounts are base units as decimal text, times unix milliseconds, flags 0 or 1.

create table merchants (
  id text primary key,
  name text not null,
  -- Signs webhooks; receivers need it back, so it is not hashed.
  webhook_secret text not null,
  created_at_ms integer not null
) strict;

-- Where a merchant's money goes, per network.
create table settlement_wallets (
  merchant_id text not null references merchants (id),
  network text not null,
  address text not null,
  primary key (merchant_id, network)
) strict, without rowid;

-- Public keys (safe in a browser) and API keys (with the hash of their secret).
create table credentials (
  id text primary key,
  merchant_id text not null references merchants (id),
  kind text not null check (kind in ('public', 'api')),
  is_test integer not null check (is_test in (0, 1)),
  secret_sha256 text,
  created_at_ms integer not null,
  revoked_at_ms integer
) strict;

create table payments (
  -- Grows by creation: workers read what is new by it.
  number integer primary key autoincrement,
  id text not null unique,
  merchant_id text not null references merchants (id),
  mode text not null check (mode in ('deposit', 'contract')),
  is_test integer not null check (is_test in (0, 1)),
  network text not null,
  currency text not null,
  token_address text not null,
  token_decimals integer not null,
  due text not null,
  least text not null,
  -- Sums over the payment's canonical transfers: in the window and seen, in the window and confirmed, after the window and confirmed.
  seen text not null default '0',
  received text not null default '0',
  late text not null default '0',
  last_block integer,
  last_tx_id text,
  window_ended integer not null default 0,
  closed_as text check (closed_as in ('failed', 'cancelled', 'expired')),
  sweep text not null default 'none' check (sweep in ('none', 'queued', 'failing', 'failed', 'confirmed')),
  sweep_tx_id text,
  status text not null,
  -- version counts every change, sequence every webhook event.
  version integer not null default 1,
  sequence integer not null default 0,
  created_at_ms integer not null,
  -- What the customer was told; window_ends_at_ms is the same moment on the chain's clock.
  expires_at_ms integer not null,
  window_ends_at_ms integer not null,
  detected_at_ms integer,
  confirmed_at_ms integer,
  swept_at_ms integer,
  order_id text,
  customer_email text,
  callback_url text,
  metadata text,
  agent_id text,
  agent_owner text,
  deposit_address text,
  -- The forwarder's terms as JSON, exactly what its address was made of.
  deposit_terms text,
  -- The contract that a contract payment calls, what its event names the payment by, and the terms of the call as JSON.
  splitter text,
  terms_hash text,
  split_terms text,
  check (case mode
           when 'deposit' then deposit_address is not null and deposit_terms is not null and terms_hash is null
           else splitter is not null and terms_hash is not null and split_terms is not null and deposit_address is null
         end)
) strict;

create index payments_by_window on payments (network, window_ends_at_ms) where status = 'pending';

-- Token movements on chain into a payment. The key is unique: one transfer never pays twice.
create table transfers (
  network text not null,
  tx_id text not null,
  log_index integer not null,
  payment_id text not null references payments (id),
  payer text not null,
  amount text not null,
  block_number integer not null,
  block_hash text not null,
  block_time_ms integer not null,
  state text not null check (state in ('seen', 'confirmed', 'reverted')),
  is_late integer not null check (is_late in (0, 1)),
  primary key (network, tx_id, log_index)
) strict, without rowid;

create index transfers_by_payment on transfers (payment_id);
create index transfers_by_block on transfers (network, block_number) where state <> 'reverted';
create index transfers_unconfirmed on transfers (network, block_number) where state = 'seen';

-- What a client said it has sent for a contract payment: a hint for people, believed by nobody.
create table submissions (
  payment_id text primary key references payments (id),
  tx_id text not null,
  attempts integer not null,
  submitted_at_ms integer not null
) strict, without rowid;

-- Headers that may still be replaced, and the last block that was fully applied (the highest number).
create table headers (
  network text not null,
  number integer not null,
  hash text not null,
  time_ms integer not null,
  primary key (network, number)
) strict, without rowid;

-- Deposits whose money must be forwarded: written with the payment's state, pulled by the sweeper.
create table sweeps (
  payment_id text primary key references payments (id),
  network text not null,
  state text not null check (state in ('queued', 'sent')),
  due_at_ms integer not null,
  failures integer not null default 0,
  transaction_id text
) strict, without rowid;

create index sweeps_due on sweeps (network, state, due_at_ms);
create index sweeps_by_transaction on sweeps (transaction_id) where transaction_id is not null;

-- Outgoing transactions, stored before they are broadcast. One id may have several hashes: same nonce, higher fee.
-- stored: the newest of its nonce; replaced: older, may still be mined; confirmed: final; failed: can never be mined.
create table outgoing_transactions (
  id text not null,
  network text not null,
  sender text not null,
  nonce integer not null,
  tx_id text primary key,
  raw text not null,
  state text not null check (state in ('stored', 'replaced', 'confirmed', 'failed')),
  created_at_ms integer not null,
  -- When a node was last given it; null: never, as far as we know.
  sent_at_ms integer
) strict, without rowid;

create index outgoing_by_state on outgoing_transactions (network, state);
create index outgoing_by_nonce on outgoing_transactions (network, sender, nonce);

-- The payments that an outgoing transaction settles. Outlives their sweeps, which a reorg can cancel while it is under way.
create table outgoing_payments (
  payment_id text not null references payments (id),
  transaction_id text not null,
  primary key (payment_id, transaction_id)
) strict, without rowid;

create index outgoing_payments_by_transaction on outgoing_payments (transaction_id);

-- The outbox: one event to one URL, written with the payment's state, pulled by the dispatcher.
create table deliveries (
  id text primary key,
  payment_id text not null references payments (id),
  sequence integer not null,
  merchant_id text not null references merchants (id),
  type text not null,
  url text not null,
  -- Scheme, host and port of the URL: the dispatcher bounds what one receiver may take up by it.
  origin text not null generated always as (substr(url, 1, instr(substr(url || '/', 9), '/') + 7)) stored,
  -- Frozen when the event happened: every attempt sends these bytes.
  body text not null,
  state text not null check (state in ('due', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at_ms integer not null,
  last_code integer,
  last_error text,
  created_at_ms integer not null,
  done_at_ms integer
) strict;

create index deliveries_due on deliveries (origin, due_at_ms, sequence) where state = 'due';
create unique index deliveries_by_payment on deliveries (payment_id, url, sequence);

-- Answers of create calls, so that a repeat gets the same one.
create table idempotency_keys (
  -- merchant, live or test, endpoint, kind of key, key
  scope text primary key,
  -- Money fields of the first request: a repeat must not differ in them.
  terms text not null,
  credential text not null check (credential in ('public', 'api')),
  payment_id text not null references payments (id),
  answer text not null,
  expires_at_ms integer
) strict;

create index idempotency_expiry on idempotency_keys (expires_at_ms) where expires_at_ms is not null;
