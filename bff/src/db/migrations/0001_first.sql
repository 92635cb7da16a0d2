-- The first schema of both databases: SQLite's words, which `db/postgres/translate.ts` rewrites for PostgreSQL.
--
-- Amounts of tokens are base units as decimal text, because they are longer than the databases' integers. Times are Unix milliseconds,
-- flags 0 or 1. A column that may be null says what null means, where that is not plain.
--
-- The tables stand in the order of the modules (`modules.json`), and each after those that it refers to: merchants and payment links come
-- before payments.

-- ============ The database and its processes (db) ============

-- A text sealed with the key of this database: shows whether a key is the right one.
create table vault (
  id integer primary key check (id = 1),
  sealed text not null
) strict;

-- The processes that share the database. Times of this table and of `leases` are of the database's clock, because those of replicas differ.
create table replicas (
  -- Made at each start of a process.
  id text primary key,
  version text not null,
  host text not null,
  -- Where it listens; null: not yet.
  url text,
  started_at_ms integer not null,
  seen_at_ms integer not null
) strict, without rowid;

-- The right of one replica to work for a network (by its short name), or for all of them ('*': webhooks, expiry of test payments,
-- bridges, pruning). The epoch grows each time that the lease is taken: a holder with an older epoch can change nothing.
create table leases (
  name text primary key,
  -- Null: no replica's.
  holder text,
  epoch integer not null,
  -- Any replica may take it from then on.
  ends_at_ms integer not null
) strict, without rowid;

-- Calls that were counted in a window, where several replicas share a database. The columns are those of rate-limiter-flexible's store for
-- PostgreSQL, in its order. SQLite's file is for one process, which counts in memory: there the table stays empty.
create table rate_limits (
  -- A keyed digest of what is counted and of whose calls, so that the database does not hold the addresses of customers.
  key text primary key,
  -- The calls.
  points integer not null,
  -- The window's end.
  expire integer not null
) strict, without rowid;

create index rate_limits_ended on rate_limits (expire);

-- ============ Merchants (merchant, access) ============

create table merchants (
  id text primary key,
  name text not null,
  -- Signs webhooks; receivers need it back, so it is sealed and not hashed. The previous one signs as well until its time is over.
  webhook_secret text not null,
  previous_webhook_secret text,
  previous_webhook_secret_until_ms integer,
  -- How much less than what is due the merchant accepts, because an exchange has kept its fee: a share in basis points, and at most so
  -- many millionths of a token. Payments keep what held when they were created.
  tolerance_bps integer not null default 0,
  tolerance_max_micros text not null default '0',
  -- What happens to a full amount that comes after the window: it is reported, or it pays.
  late_payments text not null default 'report' check (late_payments in ('report', 'accept')),
  -- Whether the reports that a public key reads show turnover.
  public_reports integer not null default 0 check (public_reports in (0, 1)),
  -- The most that the gas of a payment by signature may cost: a share of the payment in basis points, but not less than the first amount
  -- and not more than the second, in millionths of a dollar.
  signature_gas_bps integer not null default 100,
  signature_gas_min_micros integer not null default 20000,
  signature_gas_max_micros integer not null default 1000000,
  -- The origins that the public key is accepted from in browsers, separated by spaces; null: any.
  key_origins text,
  -- The currency that the shop counts in, by its code of ISO 4217, which totals, tills and new links begin with; null: not chosen.
  currency text,
  created_at_ms integer not null
) strict;

-- What a merchant's hosted pages show: colour, links, and the logo as base64 with the name that its URL has (hash of its content, and type).
create table merchant_branding (
  merchant_id text primary key references merchants (id),
  color text,
  logo_name text,
  logo_base64 text,
  terms_url text,
  privacy_url text,
  imprint_url text,
  support_url text
) strict;

create index merchant_branding_logos on merchant_branding (logo_name) where logo_name is not null;

-- Where a merchant's money goes, per network.
create table settlement_wallets (
  merchant_id text not null references merchants (id),
  network text not null,
  address text not null,
  -- What the addresses of payments are derived from, where they are the merchant's own; null: the service makes the addresses.
  source text,
  primary key (merchant_id, network)
) strict, without rowid;

-- What merchants' own deposit addresses are derived from: an account's extended public key, or the id of virtual addresses. One count for
-- all networks and merchants that name it. After a restore, the row without a name is where new sources begin.
create table address_sources (
  source text primary key,
  -- Never falls, and is raised when a backup is restored: an address belongs to one payment for ever.
  next_number integer not null
) strict, without rowid;

-- Which payment an address of a source was given to.
create table given_addresses (
  source text not null references address_sources (source),
  number integer not null,
  payment_id text not null unique,
  primary key (source, number)
) strict, without rowid;

-- Public keys (safe in a browser) and API keys (with the hash of their secret).
create table credentials (
  id text primary key,
  merchant_id text not null references merchants (id),
  kind text not null check (kind in ('public', 'api')),
  is_test integer not null check (is_test in (0, 1)),
  secret_sha256 text,
  -- What an API key may call: 'agent', what an agent's tools do; null: everything.
  scope text,
  -- The agent that a key with the scope 'agent' is for; null: every other key.
  agent_id text,
  -- What people call the key; null: nothing.
  name text,
  created_at_ms integer not null,
  -- Written at most once an hour; null: not used yet.
  last_used_at_ms integer,
  revoked_at_ms integer
) strict;

-- The newest API calls of each merchant that were refused, by any process: a hundred at most, and fifty of its public keys. Nothing that
-- was sent is kept.
create table api_errors (
  number integer primary key autoincrement,
  merchant_id text not null references merchants (id),
  at_ms integer not null,
  request_id text not null,
  method text not null,
  -- The path's template.
  route text not null,
  status integer not null,
  code text not null,
  field text,
  -- Whether a public key made the call.
  is_public integer not null default 0 check (is_public in (0, 1))
) strict;

create index api_errors_by_merchant on api_errors (merchant_id, number);

-- Payment links: a merchant's offer to pay, whose customers choose network and token. Each customer who uses a link creates a payment.
create table payment_links (
  number integer primary key,
  id text not null unique,
  merchant_id text not null references merchants (id),
  -- Links of test mode make test payments.
  is_test integer not null default 0 check (is_test in (0, 1)),
  -- Whole tokens as decimal text, or a price in a currency: one of both.
  amount text,
  price text,
  price_currency text,
  -- Null: the customer chooses.
  network text,
  currency text,
  description text,
  -- Payments that may be paid by the link.
  payments_max integer not null,
  -- JSON array of {network, currency}: the only ones that the customer may choose. Null: all.
  choices text,
  -- Basis points of the amount due that may be missing; null: the merchant's setting.
  tolerance_bps integer,
  expires_at_ms integer,
  ended_at_ms integer,
  order_id text,
  callback_url text,
  return_url text,
  metadata text,
  -- The agent whose key made the link, and that its payments count as; null: another key made it.
  agent_id text,
  -- 1: a sale of a till.
  is_sale integer not null default 0 check (is_sale in (0, 1)),
  -- How often its page was opened.
  opened integer not null default 0,
  created_at_ms integer not null,
  check ((amount is null) <> (price is null)),
  check ((price is null) = (price_currency is null))
) strict;

create index payment_links_by_merchant on payment_links (merchant_id, is_test, number);
create index payment_links_without_sales on payment_links (merchant_id, is_test, number) where is_sale = 0;

-- Responses of the requests that made a link, for repeats. Those of payments are in `idempotency_keys`.
create table link_keys (
  scope text primary key,
  -- What the link asks for, in one canonical text.
  terms text not null,
  link_id text not null references payment_links (id),
  answer text not null,
  -- Null: for as long as the link takes payments.
  expires_at_ms integer
) strict, without rowid;

create index link_keys_by_expiry on link_keys (expires_at_ms) where expires_at_ms is not null;

-- ============ Payments (payment) ============

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
  -- What was asked for, and the least that pays, which is lower by the merchant's tolerance.
  due text not null,
  least text not null,
  -- Dollars for one whole token when the payment was created, for limits in dollars; null where no rate was known.
  dollar_rate text,
  -- Confirmations wanted for a payment of high value; null where the network's are enough.
  confirmations integer,
  -- Sums over the payment's canonical transfers: in the window and seen, in the window and confirmed, after the window and confirmed.
  seen text not null default '0',
  received text not null default '0',
  late text not null default '0',
  -- The newest transfer.
  last_block integer,
  last_tx_id text,
  window_ended integer not null default 0,
  closed_as text check (closed_as in ('failed', 'cancelled', 'expired')),
  -- Why a payment was ended by hand, in the words of who ended it.
  close_reason text,
  -- Block time up to which late money pays; null where it is only reported.
  accepted_until_ms integer,
  late_ended integer not null default 0,
  -- The merchant has taken, or given back, the whole amount that came too late: what was taken counts as if it had come in time.
  late_taken integer not null default 0,
  late_returned integer not null default 0,
  -- Sums over the payment's merchant_refunds: confirmed, and still to be paid by the merchant's wallet; what of both, and of the confirmed
  -- one, was of the amount due.
  refunded_by_merchant text not null default '0',
  refund_due_by_merchant text not null default '0',
  refunded_of_due text not null default '0',
  confirmed_of_due text not null default '0',
  sweep text not null default 'none' check (sweep in ('none', 'queued', 'failing', 'failed', 'confirmed')),
  sweep_waits integer not null default 0,
  sweep_tx_id text,
  -- What the sweep paid to merchant and platform together; null: not swept, or the amount is not known.
  swept_amount text,
  -- Money that goes back: where to (said by the payer or the merchant), how much has gone for good and how, and how much is on its way by
  -- a transaction that is not final, which pays nothing meanwhile.
  refund text not null default 'none' check (refund in ('none', 'queued', 'failing', 'failed')),
  refund_address text,
  refunded text not null default '0',
  refund_tx_id text,
  refunding text not null default '0',
  -- Rows of `unmatched_transfers`.
  unmatched_count integer not null default 0,
  status text not null,
  -- What a person has to do about the payment; null: nothing. Of several things the first of `attentions` in payment/attention.ts.
  attention text,
  -- version counts every change, sequence every webhook event.
  version integer not null default 1,
  sequence integer not null default 0,
  created_at_ms integer not null,
  -- What the customer was shown; window_ends_at_ms is the same moment on the chain's clock.
  expires_at_ms integer not null,
  window_ends_at_ms integer not null,
  detected_at_ms integer,
  confirmed_at_ms integer,
  swept_at_ms integer,
  order_id text,
  customer_email text,
  callback_url text,
  -- Where the customer is led back to once the payment has ended.
  return_url text,
  metadata text,
  link_id text references payment_links (id),
  agent_id text,
  agent_owner text,
  -- What the customer was asked for in a currency, as decimal text; the units of the currency for one whole token, and the time of that
  -- rate. All four or none.
  price text,
  price_currency text,
  rate text,
  rate_at_ms integer,
  -- The kind of key that made the payment. Live keys, public and api, make test payments too, by the sandbox.
  made_with text not null default 'api' check (made_with in ('public', 'test', 'api')),
  -- The public key that the payment was created with; null for API key and secret, and where open payments are not bounded.
  public_key text,
  -- Keyed digest of the address of the client that created the payment with a public key, while the payment is open.
  client text,
  deposit_address text,
  -- What the address was made of, as JSON.
  deposit_terms text,
  -- Whether the address is the merchant's own, so that nothing is swept.
  is_direct integer not null default 0 check (is_direct in (0, 1)),
  -- The contract that a contract payment calls, what its event names the payment by, and the terms of the call as JSON.
  splitter text,
  terms_hash text,
  split_terms text,
  -- Of a wallet payment on Solana: the address that plain transfers, which name no payment, would come from, as said at create, and the
  -- newest slot then.
  sender_address text,
  sender_after_slot integer,
  check (case mode
           when 'deposit' then deposit_address is not null and deposit_terms is not null and terms_hash is null
           else splitter is not null and terms_hash is not null and split_terms is not null and deposit_address is null
         end)
) strict;

-- What the watchers of the chains ask: which payments may still receive money, and to whom an address or a splitter belongs. A start
-- reads none of them, and a block only those that its transfers name. Chains write addresses in lower case.
create index payments_watched on payments (network, mode, window_ends_at_ms, number) where is_test = 0;
create index payments_by_splitter on payments (network, splitter, window_ends_at_ms) where splitter is not null;
create index payments_by_deposit_address on payments (lower(deposit_address)) where deposit_address is not null;
-- What a wallet payment is known by on chain: on Solana a transaction is asked whether it names another payment.
create index payments_by_terms on payments (network, terms_hash) where terms_hash is not null;
create index payments_by_window on payments (network, window_ends_at_ms) where status = 'pending';
create index payments_accepting on payments (is_test, network, accepted_until_ms)
  where accepted_until_ms is not null and late_ended = 0;
-- Payments that have failed and that a person has to do something about: anyone may settle the deposit of such a payment.
create index payments_failed on payments (network, number)
 where attention is not null and status in ('expired', 'cancelled', 'failed');
-- Test payments that are still open, for the worker that ends them: at most what was created within about an hour.
create index open_test_payments on payments (window_ends_at_ms) where is_test = 1 and status = 'pending';
create index payments_open_by_client on payments (public_key, client, seen, late)
  where status = 'pending' and public_key is not null;
-- An agent's spending is the sum over its payments that did not fail: all that the sum reads, and nothing that failed.
create index payments_by_agent on payments (merchant_id, is_test, agent_id, created_at_ms, token_decimals, due, status)
 where agent_id is not null and status not in ('expired', 'cancelled', 'failed');
-- An expired payment that late money can still make paid keeps its share of its agent's budget: all that this sum reads.
create index payments_by_agent_late
    on payments (merchant_id, is_test, agent_id, created_at_ms, token_decimals, due)
 where agent_id is not null and status = 'expired' and closed_as is null and accepted_until_ms is not null
   and late_ended = 0;
-- With the number, which SQLite's index has by itself, so that PostgreSQL too reads the newest without sorting.
create index payments_by_link on payments (status, link_id, number) where link_id is not null;
create index payments_by_link_with_money on payments (link_id) where link_id is not null and (seen <> '0' or late <> '0');
create index payments_attention on payments (merchant_id, is_test, attention, number) where attention is not null;
-- Pages of a merchant's payments, newest first, of all or of one status; reports read by creation too.
create index payments_by_creation on payments (merchant_id, is_test, created_at_ms, number);
create index payments_by_status on payments (merchant_id, is_test, status, created_at_ms, number);
-- Pages of the payments of one kind, as people ask for them (`kinds` in checkout/read/payment-search-store.ts): few of all payments.
create index payments_partly_paid on payments (merchant_id, is_test, status, created_at_ms, number)
 where status = 'pending' and received <> '0';
create index payments_overpaid on payments (merchant_id, is_test, created_at_ms, number)
 where (length(received) > length(due) or (length(received) = length(due) and received > due));
create index payments_late on payments (merchant_id, is_test, created_at_ms, number) where late <> '0';
create index payments_refunded on payments (merchant_id, is_test, created_at_ms, number) where refunded <> '0';
create index payments_to_do on payments (merchant_id, is_test, created_at_ms, number) where attention is not null;
-- What people search by. Transactions and deposit addresses have their indexes.
create index payments_by_order on payments (merchant_id, order_id, number) where order_id is not null;
create index payments_by_email on payments (merchant_id, lower(customer_email), number) where customer_email is not null;

-- Token movements on chain into a payment, or from the merchant's wallet into a merchant refund. The key is unique: one transfer never
-- pays twice, nor a payment and a refund.
create table transfers (
  network text not null,
  tx_id text not null,
  log_index integer not null,
  -- A row of payments or of merchant_refunds.
  payment_id text not null,
  payer text not null,
  amount text not null,
  block_number integer not null,
  block_hash text not null,
  block_time_ms integer not null,
  state text not null check (state in ('seen', 'confirmed', 'reverted')),
  is_late integer not null check (is_late in (0, 1)),
  primary key (network, tx_id, log_index)
) strict, without rowid;

create index transfers_by_block on transfers (network, block_number) where state <> 'reverted';
create index transfers_unconfirmed on transfers (network, block_number) where state = 'seen';
-- The newest transfer of a payment is asked for with each one that comes: however many there are, it is one step.
create index transfers_newest on transfers (payment_id, block_number, log_index);
create index transfers_by_payer on transfers (lower(payer));

-- Money at a deposit address that its payment did not ask for: another token, the chain's own coin, or on another network.
create table unmatched_transfers (
  payment_id text not null references payments (id),
  network text not null,
  -- Lower case; the zero address is the chain's own coin.
  token text not null,
  currency text not null,
  decimals integer not null,
  -- What lay there at `block`, and what was sent back for good.
  held text not null,
  refunded text not null,
  block integer not null,
  -- The newest transfer that was seen of it; the coin leaves no log.
  tx_id text,
  -- Webhook events about it.
  notifications integer not null,
  refund text not null check (refund in ('none', 'queued', 'failing', 'failed', 'too_small')),
  -- Why the return is given up, where the recipient is the reason; null: for another reason, or it is not.
  refund_reason text check (refund_reason in ('coins_refused')),
  -- Where it goes back to; null where no address was named, and on the payment's own network, where the payment's own counts.
  address text,
  refund_tx_id text,
  primary key (payment_id, network, token)
) strict, without rowid;

create index unmatched_transfers_by_block on unmatched_transfers (network, block);

-- Who named which refund address, and when. Rows are only added.
create table refund_requests (
  number integer primary key,
  payment_id text not null references payments (id),
  -- Null: the payment's own network.
  network text,
  address text not null,
  caller_kind text not null check (caller_kind in ('public', 'api')),
  caller_id text not null,
  created_at_ms integer not null
) strict;

create index refund_requests_by_payment on refund_requests (payment_id);

-- The tokens that were ever configured, and those that live payments were made with: they are watched for, whatever the configuration
-- names now.
create table payment_tokens (
  network text not null,
  -- As the payments have it.
  address text not null,
  symbol text not null,
  decimals integer not null,
  primary key (network, address)
) strict, without rowid;

-- What a merchant's payments add up to, by the quarter of an hour in which they were created: days of every time zone begin at one. Kept
-- by the ledger in the commit that changes a payment, so that a month is read without its payments.
create table payment_sums (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  -- Of the creation: Unix milliseconds divided by 900000.
  quarter integer not null,
  network text not null,
  currency text not null,
  token_decimals integer not null,
  created integer not null,
  -- Payments that are paid now.
  paid integer not null,
  -- Confirmed money, late money too; and what was sent back of it for good.
  received text not null,
  refunded text not null,
  -- Confirmed merchant_refunds.
  refunded_by_merchant text not null,
  -- How often payments of the row have changed: sums that were made before the newest change are out of date.
  changes integer not null default 0,
  primary key (merchant_id, is_test, quarter, network, currency, token_decimals)
) strict, without rowid;

-- Deposits that are paid from another chain: what the relay was ordered to do (never changes), and the state that it reported last. The
-- prefix keeps the columns apart from those of payments, which are read together with them.
create table bridges (
  payment_id text primary key references payments (id),
  -- Who takes what where, and how much of it, as JSON.
  bridge_terms text not null,
  bridge_status text not null check (bridge_status in
    ('waiting', 'depositing', 'pending', 'submitted', 'delayed', 'success', 'refund', 'failure')),
  bridge_origin_tx_id text,
  bridge_destination_tx_id text,
  bridge_refund_tx_id text,
  bridge_reason text
) strict, without rowid;

-- Bridges that the relay is still asked about: written with the payment, pulled by the progress worker.
create table bridge_polls (
  payment_id text primary key references payments (id),
  due_at_ms integer not null,
  -- In a row.
  failures integer not null default 0,
  -- How often the relay was asked to index the deposit address again.
  reindexes integer not null default 0,
  -- The time of the block in which the payment's own chain was found past the end of its window: the relay is asked once more before the
  -- payment expires. Null: it was not.
  window_over_ms integer,
  -- The relay has answered since.
  is_answered integer not null default 0 check (is_answered in (0, 1))
) strict, without rowid;

create index bridge_polls_due on bridge_polls (due_at_ms);

-- What customers signed instead of sending a transaction (ERC-3009): the operator sends the call and pays its gas. Checked and simulated
-- before a row is written. Each attempt to send has a row of its own, and keeps what it cost: an authorization that failed and is taken
-- again is another row. At most one row of an authorization has not failed.
create table authorizations (
  id text primary key,
  payment_id text not null references payments (id),
  network text not null,
  -- Token and payer in lower case.
  token text not null,
  payer text not null,
  nonce text not null,
  amount text not null,
  -- The call: the contract, and the data.
  target text not null,
  data text not null,
  -- A digest of the client's address; null: a merchant's server.
  client text,
  -- A digest of what only the presenter of the proof was given; null: it was given nothing.
  presenter text,
  -- The most that the call costs, as planned, in millionths of a dollar.
  cost_micros integer not null,
  -- `queued`: to be sent. `sent`: in a transaction of `outgoing_transactions`. `confirmed`: final. `failed`: `code` and `reason` say why.
  -- `external`: somebody else brought it to the chain, in `external_tx_id`.
  state text not null check (state in ('queued', 'sent', 'confirmed', 'failed', 'external')),
  transaction_id text,
  external_tx_id text,
  code text,
  reason text,
  send_before_ms integer not null,
  created_at_ms integer not null
) strict, without rowid;

create unique index authorizations_once on authorizations (network, token, payer, nonce) where state <> 'failed';
create index authorizations_by_nonce on authorizations (network, token, payer, nonce);
create index authorizations_open on authorizations (network, state, created_at_ms);
create index authorizations_by_payment on authorizations (payment_id);
create index authorizations_by_transaction on authorizations (transaction_id) where transaction_id is not null;
create index authorizations_by_payer on authorizations (payer, created_at_ms);
create index authorizations_by_client on authorizations (client, created_at_ms) where client is not null;
create index authorizations_by_time on authorizations (network, created_at_ms);

-- ============ Networks (network) ============

-- Headers that may still be replaced, and the last block that was fully applied (the highest number).
create table headers (
  network text not null,
  number integer not null,
  hash text not null,
  time_ms integer not null,
  primary key (network, number)
) strict, without rowid;

-- What the replica that works for a network knows and the others show.
create table network_states (
  network text primary key,
  -- Why the network cannot be paid on; null: it can.
  reason text,
  head_number integer,
  head_hash text,
  head_time_ms integer,
  -- The account that pays gas, as it was last read; null: never. Amounts in wei.
  gas_address text,
  gas_balance text,
  gas_needed text,
  -- Of gas_needed what stays in the account.
  gas_minimum text,
  gas_read_at_ms integer
) strict, without rowid;

-- The state of the RPC nodes of each network, as each replica sees it.
create table node_states (
  replica_id text not null,
  network text not null,
  -- Its place in the configuration.
  place integer not null,
  name text not null,
  host text not null,
  state text not null check (state in ('ok', 'down', 'quarantine')),
  reason text,
  -- Null: it is asked.
  out_until_ms integer,
  primary key (replica_id, network, place)
) strict, without rowid;

-- ============ Payouts (payout) ============

-- One queue for everything that the service sends: the sweep of a deposit, the refund of what a payment owes, and the return of an
-- unmatched transfer. Written with the payment's state, pulled by the payout worker of the network.
create table payouts (
  payment_id text not null references payments (id),
  kind text not null check (kind in ('sweep', 'refund', 'return')),
  network text not null,
  -- As the payment has it; of a return the unmatched token, the zero address for the coin.
  token text not null,
  state text not null check (state in ('queued', 'sent')),
  due_at_ms integer not null,
  failures integer not null default 0,
  transaction_id text,
  -- Since when a sweep waits because its gas would cost too much of it; null: it does not.
  waiting_since_ms integer,
  primary key (payment_id, kind, network, token)
) strict, without rowid;

create index payouts_due on payouts (network, kind, state, due_at_ms);

-- Outgoing transactions, stored before they are broadcast. One id may have several hashes: same nonce, higher fee.
-- stored: the newest of its nonce; replaced: older, may still be mined; confirmed: final; failed: can never be mined.
create table outgoing_transactions (
  id text not null,
  network text not null,
  sender text not null,
  -- 0 on Solana, whose transactions have none.
  nonce integer not null,
  tx_id text primary key,
  raw text not null,
  state text not null check (state in ('stored', 'replaced', 'confirmed', 'failed')),
  -- Of a transaction on Solana: what it does, and the last block height that may hold it.
  purpose text check (purpose in ('open', 'sweep', 'refund', 'close')),
  last_valid_height integer,
  created_at_ms integer not null,
  -- When a node was last given it; null: never, as far as is known.
  sent_at_ms integer,
  -- The block of a final transaction that a deeper reorg may still take back; null: never, or it is too deep for that.
  recheck_block integer
) strict, without rowid;

create index outgoing_by_state on outgoing_transactions (network, state);
create index outgoing_by_nonce on outgoing_transactions (network, sender, nonce);
-- Two transactions of one account can never both be waited for at one nonce. An older form of the newest one is 'replaced', and Solana has
-- no nonces.
create unique index outgoing_one_per_nonce on outgoing_transactions (network, sender, nonce)
  where state = 'stored' and last_valid_height is null;
create index outgoing_transactions_recheck on outgoing_transactions (network, recheck_block) where recheck_block is not null;

-- The payouts that an outgoing transaction makes. They outlive their rows in `payouts`, so that each is counted once, whatever happens.
create table outgoing_payouts (
  transaction_id text not null,
  kind text not null check (kind in ('sweep', 'refund', 'return')),
  payment_id text not null references payments (id),
  network text not null,
  token text not null,
  -- Both are null for a sweep, whose address and amount are in the terms of the deposit.
  address text,
  amount text,
  -- `confirmed`: the payout was counted.
  state text not null check (state in ('sent', 'confirmed', 'failed')),
  primary key (transaction_id, kind, payment_id)
) strict, without rowid;

create index outgoing_payouts_by_payment on outgoing_payouts (payment_id);

-- Settlements by somebody else that count as sweeps, and that a reorg deeper than the confirmations may still take back.
create table external_settlements (
  network text not null,
  payment_id text not null references payments (id),
  tx_id text not null,
  -- The block that the transaction was found in.
  block integer not null,
  primary key (network, payment_id)
) strict, without rowid;

-- The platform's shares that could not be paid with the merchant's: its wallet is blocked, or its account is frozen. They wait where the
-- money came to, and are paid when the token allows it.
create table parked_shares (
  network text not null,
  -- A deposit's address, or a splitter, which holds the shares of many payments together.
  place text not null,
  token text not null,
  -- The platform's wallet.
  recipient text not null,
  -- The deposit's payment; null at a splitter.
  payment_id text references payments (id),
  -- As they were found.
  amount text not null,
  parked_at_ms integer not null,
  due_at_ms integer not null,
  failures integer not null default 0,
  -- Why the share could not be paid at the newest attempt; null: there was none.
  reason text,
  -- The newest outgoing transaction that pays the share; null: there is none.
  transaction_id text,
  primary key (network, place, token, recipient)
) strict, without rowid;

create index parked_shares_due on parked_shares (network, due_at_ms);

-- ============ Watching the chains (chain) ============

-- Newest block that was searched for unmatched transfers, per network.
create table unmatched_cursors (
  network text primary key,
  number integer not null,
  hash text not null
) strict, without rowid;

-- Blocks whose logs a node may have answered short: they are read again once they have the required confirmations.
create table second_reads (
  network text not null,
  from_block integer not null,
  to_block integer not null,
  -- Since when no node answers for the first blocks of the range; null: it was not tried, or was answered.
  failing_since_ms integer,
  -- The chain's time of the last block, or of a later one; null: not known.
  to_time_ms integer,
  primary key (network, from_block, to_block)
) strict, without rowid;

-- As `second_reads`, for unmatched transfers.
create table unmatched_second_reads (
  network text not null,
  from_block integer not null,
  to_block integer not null,
  failing_since_ms integer,
  to_time_ms integer,
  primary key (network, from_block, to_block)
) strict, without rowid;

-- What could not be applied to one payment. The others go on; this is tried again alone until it succeeds.
create table watch_faults (
  network text not null,
  -- A row of payments or of merchant_refunds.
  payment_id text not null,
  -- transfers: of a block, on EVM; account: the token account of a deposit on Solana; window: the end of a window; unmatched: the balance
  -- of a token.
  part text not null check (part in ('transfers', 'account', 'window', 'unmatched')),
  -- The block number, or the token in lower case; else empty.
  place text not null,
  error text not null,
  failures integer not null,
  since_ms integer not null,
  tried_at_ms integer not null,
  primary key (network, payment_id, part, place)
) strict, without rowid;

create index watch_faults_by_turn on watch_faults (network, part, tried_at_ms);

-- The progress of a network's slow scan over the addresses of deposits that are not watched any more.
create table late_scans (
  network text primary key,
  -- The round: the newest block that was applied when it began, and the time.
  began_block integer not null,
  began_at_ms integer not null,
  -- The deposit that was scanned last, in the order of networks and windows; null: the round is over.
  home text,
  window_ends_at_ms integer,
  number integer,
  -- When and at which block the newest complete round began; null: there is none.
  whole_block integer,
  whole_at_ms integer,
  -- Addresses that were scanned in all rounds, each as often as it was.
  scanned integer not null
) strict, without rowid;

-- Tokens of which such an address holds more than the books say, and the blocks in which the transfers are searched for.
create table late_searches (
  network text not null,
  payment_id text not null references payments (id),
  -- Lower case.
  token text not null,
  -- The next block to be read, and the last; null: the search is over.
  from_block integer,
  to_block integer not null,
  -- What the address held, and what of it was in the books.
  balance text not null,
  in_books text not null,
  -- Rounds that found the same.
  rounds integer not null,
  -- Refusals of the RPC nodes in a row.
  failures integer not null,
  primary key (network, payment_id, token)
) strict, without rowid;

create index late_searches_open on late_searches (network, failures, from_block) where from_block is not null;

-- What the owners of deposit addresses on Solana are derived from. Sealed.
create table solana_seed (
  id integer primary key check (id = 1),
  sealed text not null
) strict;

-- The token accounts of live deposits on Solana: how far each was read, and whether it is there.
create table solana_accounts (
  payment_id text primary key references payments (id),
  network text not null,
  -- Of the associated token account of the deposit's owner and its mint.
  address text not null,
  -- wanted: to be made for the customer; open: made, as far as it was the service's to make; closed: gone, its rent is back.
  state text not null check (state in ('wanted', 'open', 'closed')),
  -- When the next thing is to be done with it: made while it is wanted, closed once it is open and empty.
  due_at_ms integer not null,
  -- What was in it when its transactions were last read to the end; null: they must be read again.
  read_amount text,
  -- The newest of its transactions that was read; null: none.
  read_to text,
  -- For whom the service made the account, while the account is there: the public key and the client's digest that the payment was
  -- created with; null: with API key and secret. Rent is bounded by them.
  public_key text,
  client text
) strict, without rowid;

create index solana_accounts_due on solana_accounts (network, state, due_at_ms);
create index solana_accounts_unread on solana_accounts (network) where read_amount is null;
-- Whether a transaction took money out of a deposit's account.
create index solana_accounts_by_address on solana_accounts (network, address);

-- Accounts that an outgoing transaction makes or closes.
create table outgoing_accounts (
  transaction_id text not null,
  payment_id text not null references payments (id),
  primary key (transaction_id, payment_id)
) strict, without rowid;

create index outgoing_accounts_by_payment on outgoing_accounts (payment_id);

-- The token accounts that wallet payments on Solana come to, merchants' mostly, and how far each was read: a start goes on from there.
create table split_accounts (
  network text not null,
  address text not null,
  -- What came before is for no payment that may still be paid.
  since_ms integer not null,
  -- When the last window of its payments ends.
  window_ends_at_ms integer not null,
  -- The newest final transaction that was read; null: none.
  read_to text,
  primary key (network, address)
) strict, without rowid;

-- The newest payment of all networks whose account is in `split_accounts`, if it has one.
create table split_cursors (
  network text primary key,
  payment_number integer not null
) strict, without rowid;

-- ============ Webhooks (webhook) ============

-- What a merchant is notified of: each event once, however many receivers it has. By number it is also the feed.
create table events (
  number integer primary key,
  merchant_id text not null,
  is_test integer not null check (is_test in (0, 1)),
  -- Null: a test event that the merchant sent to try an endpoint.
  payment_id text references payments (id),
  sequence integer not null,
  type text not null,
  -- Frozen when the event happened: every attempt sends these bytes. Null only where no receiver was to be notified that a payment was
  -- created: that body is made from the payment's row when it is read, because it would be the most that a create writes.
  body text,
  created_at_ms integer not null
) strict;

create index events_by_merchant on events (merchant_id, is_test, number);

-- A merchant's own receivers, beside the callbackUrl of a payment.
create table webhook_endpoints (
  id text primary key,
  merchant_id text not null references merchants (id),
  -- Whether it receives events of test payments, or of live ones.
  is_test integer not null check (is_test in (0, 1)),
  url text not null,
  description text not null,
  -- `btcpay`: a store's plug-in registered it, and reads BTCPay's events and signature.
  dialect text not null default 'standard' check (dialect in ('standard', 'btcpay')),
  -- The pairing whose key registered or changed it last; null: the merchant's own.
  store_key_id text,
  -- Whether failed deliveries are attempted again.
  retries integer not null default 1 check (retries in (0, 1)),
  -- JSON array; null: all.
  types text,
  -- Sealed. The previous one signs too until its time is over.
  secret text not null,
  previous_secret text,
  previous_secret_until_ms integer,
  -- Null: enabled.
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing', 'deleted')),
  disabled_at_ms integer,
  -- The first failure since the last success.
  failing_since_ms integer,
  created_at_ms integer not null,
  updated_at_ms integer not null
) strict;

create index webhook_endpoints_by_merchant on webhook_endpoints (merchant_id, is_test) where disabled_reason is null;

-- The outbox: one event to one receiver, written with the payment's state, pulled by the dispatcher.
create table deliveries (
  number integer primary key,
  event_number integer not null references events (number),
  merchant_id text not null,
  is_test integer not null check (is_test in (0, 1)),
  payment_id text,
  sequence integer not null,
  type text not null,
  -- Null: the payment's callbackUrl.
  endpoint_id text references webhook_endpoints (id),
  url text not null,
  -- Deliveries with one key are sent in order and share a limit: the endpoint, or the merchant and the origin of the callbackUrl.
  receiver_key text not null,
  state text not null check (state in ('due', 'delivered', 'failed')),
  -- All attempts, and those since the delivery was last queued.
  attempts integer not null default 0,
  attempts_since_queued integer not null default 0,
  due_at_ms integer not null,
  last_code integer,
  last_error text,
  created_at_ms integer not null,
  done_at_ms integer
) strict;

create index deliveries_due on deliveries (receiver_key, due_at_ms, event_number) where state = 'due';
create unique index deliveries_by_event on deliveries (event_number, receiver_key);
create index deliveries_by_payment on deliveries (payment_id, receiver_key, event_number);
create index deliveries_by_merchant on deliveries (merchant_id, is_test, number);
create index deliveries_failed on deliveries (merchant_id, is_test, number) where state = 'failed';

-- The attempts of a delivery: what was posted, and the response.
create table attempts (
  delivery_number integer not null references deliveries (number),
  number integer not null,
  sent_at_ms integer not null,
  took_ms integer not null,
  -- Where the attempt was sent: the endpoint's URL may change afterwards.
  url text,
  -- The webhook-signature header; null: nothing was posted.
  signature text,
  code integer,
  error text,
  -- The beginning of the response's body.
  answer text not null,
  primary key (delivery_number, number)
) strict, without rowid;

-- ============ Checkout (checkout) ============

-- Responses of create calls, so that a repeat gets the same one. Who asked is part of the key: the kind of credential and, for a public
-- key, the client.
create table idempotency_keys (
  -- merchant, live or test, endpoint, kind of key, key
  scope text not null,
  credential text not null check (credential in ('public', 'api')),
  -- Keyed digest of the client's address; empty for API key and secret.
  client text not null,
  -- Money fields of the first request: a repeat must not differ in them.
  terms text not null,
  -- Digest of everything that the first request asked for.
  request_digest text not null,
  payment_id text not null references payments (id),
  answer text not null,
  expires_at_ms integer,
  primary key (scope, credential, client)
) strict;

create index idempotency_expiry on idempotency_keys (expires_at_ms) where expires_at_ms is not null;

-- The transaction that a client said it has sent for a contract payment: shown to people, and never taken as a proof.
create table submissions (
  payment_id text primary key references payments (id),
  tx_id text not null,
  attempts integer not null,
  submitted_at_ms integer not null
) strict, without rowid;

-- How far a test payment's clock is ahead of the service's. No row: not at all.
create table test_clocks (
  payment_id text primary key references payments (id),
  ahead_ms integer not null
) strict, without rowid;

-- Requests of a merchant's server that are paid by x402: each has a payment of its own, which pays one request. Charges that nobody pays
-- are bounded for each price and each merchant, because resources are without number: beyond the bound, the oldest offer is made again.
create table x402_charges (
  payment_id text primary key references payments (id),
  -- The address of what is paid for.
  resource text not null,
  -- A digest of the merchant, the price and everything else that the payment was made of, but the resource.
  price_digest text,
  merchant_id text,
  offered_at_ms integer,
  -- When the request was answered that the payment paid; null: not yet.
  used_at_ms integer
) strict, without rowid;

create index x402_charges_by_price on x402_charges (price_digest, offered_at_ms) where used_at_ms is null;
create index x402_charges_by_merchant on x402_charges (merchant_id, offered_at_ms) where used_at_ms is null;

-- The call of the facilitator that was the first to settle a payment and waits for it now. Only this call has the success: its proof can be
-- read on the chain while it waits, and nothing in a proof says who presents it.
create table x402_settlements (
  payment_id text primary key references payments (id),
  call_id text not null,
  -- A call that is longer than this has died with its process.
  ends_at_ms integer not null
) strict, without rowid;

-- ============ Agents (agent) ============

-- What an agent may spend. Limits are dollars (whole stablecoins) with 36 decimals as integer text; null is no limit.
create table agent_policies (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  agent_id text not null,
  max_per_transaction text,
  daily_budget text,
  monthly_budget text,
  -- JSON arrays; null allows all.
  allowed_networks text,
  allowed_currencies text,
  autonomous_allowed integer not null check (autonomous_allowed in (0, 1)),
  expires_at_ms integer,
  created_at_ms integer not null,
  updated_at_ms integer not null,
  primary key (merchant_id, is_test, agent_id)
) strict, without rowid;

-- What was decided about each payment of an agent: when it was created, and when it was paid through x402. The newest of each agent are
-- kept, for a limited time.
create table agent_decisions (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  agent_id text not null,
  -- Counts the decisions of the agent, from 1 on.
  sequence integer not null,
  decided_at_ms integer not null,
  action text not null check (action in ('create', 'pay')),
  is_allowed integer not null check (is_allowed in (0, 1)),
  -- The rule of the policy that refused, or `within_policy` or `no_policy`.
  rule text not null,
  amount text not null,
  token_decimals integer not null,
  currency text not null,
  network text not null,
  -- Null: it was refused, so there is none.
  payment_id text references payments (id),
  primary key (merchant_id, is_test, agent_id, sequence)
) strict, without rowid;

create index agent_decisions_by_time on agent_decisions (decided_at_ms);

-- ============ Reports (reports) ============

-- What the month's report adds up of the payments that were created in a quarter of an hour. A report computes the quarters that are
-- missing or old, and keeps them here. Rows of other tokens are those of unmatched transfers that went back.
create table month_sums (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  -- As in payment_sums.
  quarter integer not null,
  network text not null,
  currency text not null,
  token_decimals integer not null,
  -- The sum of payment_sums.changes of the quarter when its payments were read: the rows are old when it has grown.
  changes integer not null,
  payments integer not null,
  paid integer not null,
  received text not null,
  received_late text not null,
  merchant_amount text not null,
  platform_fee text not null,
  paid_out text not null,
  refunded text not null,
  owed_to_payer text not null,
  refunded_by_merchant text not null,
  refund_due_by_merchant text not null,
  returned text not null,
  primary key (merchant_id, is_test, quarter, network, currency, token_decimals)
) strict, without rowid;

-- ============ Dashboard (dashboard) ============

-- People who sign in to the dashboard. A person belongs to one merchant's account, and is kept after the removal for the audit log.
create table people (
  id text primary key,
  merchant_id text not null references merchants (id),
  name text not null,
  role text not null check (role in ('owner', 'staff', 'viewer')),
  created_at_ms integer not null,
  -- Null: the person may sign in.
  removed_at_ms integer
) strict, without rowid;

create index people_by_merchant on people (merchant_id, created_at_ms);

-- The passkeys of people. A person may have several.
create table passkeys (
  -- The credential's id, as the browser encodes it (base64url).
  id text primary key,
  person_id text not null references people (id),
  -- COSE key as base64url.
  public_key text not null,
  -- The authenticator's count of its signatures; 0 where it keeps none.
  counter integer not null,
  -- What its person calls it; null: nothing.
  name text,
  created_at_ms integer not null,
  last_used_at_ms integer
) strict, without rowid;

create index passkeys_by_person on passkeys (person_id);

-- Links that make a person, or replace the passkeys of one. Only the token's hash is stored.
create table invitations (
  token_sha256 text primary key,
  merchant_id text not null references merchants (id),
  -- Whose passkeys are replaced; null: the link makes a person.
  person_id text references people (id),
  -- Who made the invitation: it ends when that person is no owner any more. Null: by the command line.
  invited_by text references people (id),
  name text not null,
  role text not null check (role in ('owner', 'staff', 'viewer')),
  -- 1: it signs in without a passkey, as often as it is opened; on test networks only.
  is_demo integer not null check (is_demo in (0, 1)),
  created_at_ms integer not null,
  ends_at_ms integer not null,
  used_at_ms integer
) strict, without rowid;

create index invitations_by_end on invitations (ends_at_ms);
create index invitations_by_merchant on invitations (merchant_id, ends_at_ms);

-- Sessions of people who have signed in. Only the hash of the cookie's value is stored.
create table dashboard_sessions (
  id text primary key,
  token_sha256 text not null unique,
  person_id text not null references people (id),
  created_at_ms integer not null,
  ends_at_ms integer not null,
  address text not null,
  browser text not null
) strict, without rowid;

create index dashboard_sessions_by_person on dashboard_sessions (person_id, ends_at_ms);
create index dashboard_sessions_by_end on dashboard_sessions (ends_at_ms);

-- Challenges that a passkey has signed: none is accepted twice.
create table used_challenges (
  challenge_sha256 text primary key,
  ends_at_ms integer not null
) strict, without rowid;

create index used_challenges_by_end on used_challenges (ends_at_ms);

-- What people changed through the dashboard. Rows are only added.
create table audit_log (
  number integer primary key autoincrement,
  merchant_id text not null references merchants (id),
  -- Null: by the command line.
  person_id text references people (id),
  person_name text not null,
  at_ms integer not null,
  action text not null,
  -- What the log is filtered by.
  kind text not null check (kind in ('payments', 'people', 'developers', 'settings', 'tills')),
  -- What was changed, such as a network, a key or a person.
  subject text not null,
  before_value text,
  after_value text,
  address text not null,
  -- The result of the change. Null: not known, because the service stopped, or failed, before it had answered.
  outcome text check (outcome in ('done', 'unchanged', 'refused')),
  -- The code of the error that a refused change was answered with.
  refusal text
) strict;

create index audit_log_by_merchant on audit_log (merchant_id, number);
create index audit_log_by_person on audit_log (merchant_id, person_id, number) where person_id is not null;
create index audit_log_by_kind on audit_log (merchant_id, kind, number);

-- ============ The service itself (system) ============

-- The newest copy that the command `backup` has made and verified.
create table backups (
  id integer primary key check (id = 1),
  made_at_ms integer not null,
  bytes integer not null
) strict;

-- ============ Merchant refunds (payment) ============

-- Refunds of money that the merchant has received, paid by the merchant's own wallet. The service holds none of it. Their transfers are
-- rows of transfers, whose payment_id is the id of the refund.
create table merchant_refunds (
  number integer primary key autoincrement,
  id text not null unique,
  payment_id text not null references payments (id),
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  network text not null,
  currency text not null,
  token_address text not null,
  token_decimals integer not null,
  amount text not null,
  -- The price that the amount was converted from, by the rate of the payment or the one at the request. All four or none.
  price text,
  price_currency text,
  rate text,
  rate_of text check (rate_of in ('then', 'now')),
  reason text,
  -- The name of the person who asked for it in the dashboard; null: a key, a store or the command line.
  requested_by text,
  -- Confirmations wanted for a refund of high value; null where the network's are enough.
  confirmations integer,
  -- The newest block that was known at the request: plain transfers up to it do not count.
  after_block integer not null,
  -- Null until the customer's address is known. terms_hash: what the splitter's event names the refund by.
  address text,
  splitter text,
  terms_hash text,
  split_terms text,
  -- Sums over the refund's canonical transfers: in a block, and confirmed.
  seen text not null default '0',
  paid text not null default '0',
  last_tx_id text,
  status text not null check (status in ('awaiting_address', 'to_pay', 'confirming', 'paid', 'cancelled')),
  version integer not null,
  created_at_ms integer not null,
  -- When the address was named, by the request or later.
  address_named_at_ms integer,
  paid_at_ms integer,
  cancelled_at_ms integer,
  -- The Idempotency-Key of the request with its scope, and what was asked for: a repeat gets the same refund.
  request_key text unique,
  request_terms text not null,
  check ((price is null) = (rate is null) and (price is null) = (price_currency is null) and (price is null) = (rate_of is null))
) strict;

create index merchant_refunds_by_payment on merchant_refunds (payment_id, number);
create index merchant_refunds_by_merchant on merchant_refunds (merchant_id, is_test, number);
-- What the watchers ask: which refund stands behind an address or a hash of terms.
create index merchant_refunds_by_address on merchant_refunds (lower(address)) where address is not null;
create index merchant_refunds_by_terms on merchant_refunds (terms_hash) where terms_hash is not null;
-- What the merchant's wallet was asked to sign for refunds: while one is open, no wallet is asked for the same refund again.
create table refund_prompts (
  -- One prompt may pay several refunds.
  id text not null,
  refund_id text not null references merchant_refunds (id),
  -- The wallet that was asked.
  account text not null,
  -- The session or the key that asked it: what the wallet answered is believed from there only.
  asked_by text not null,
  -- Of the transaction, as a node has it: the wallet chooses it, whatever the page proposed.
  nonce integer,
  -- The splitter refuses the transaction afterwards; null: nothing ends it.
  deadline_ms integer,
  -- Null until the page reports it: the wallet may have sent it all the same. A batch has an id of the wallet's own.
  tx_id text,
  batch_id text,
  asked_at_ms integer not null,
  -- It has paid, the wallet did not send it, it can no longer pay, or a person says that nothing was sent.
  ended_at_ms integer,
  end_reason text check (end_reason in ('arrived', 'rejected', 'failed', 'released')),
  primary key (id, refund_id),
  check ((ended_at_ms is null) = (end_reason is null))
) strict, without rowid;

create unique index refund_prompts_open on refund_prompts (refund_id) where ended_at_ms is null;
create index refund_prompts_by_refund on refund_prompts (refund_id, asked_at_ms);

-- What is still to be paid: few of all refunds.
create index merchant_refunds_open on merchant_refunds (merchant_id, created_at_ms)
 where is_test = 0 and status in ('awaiting_address', 'to_pay', 'confirming');
create index merchant_refunds_watched on merchant_refunds (network, number) where is_test = 0 and address is not null;
-- ============ Till (dashboard) ============

-- A device on the counter that creates sales and does nothing else. A removed till is kept for its sales.
create table tills (
  id text primary key,
  merchant_id text not null references merchants (id),
  -- 1: its sales are test payments.
  is_test integer not null check (is_test in (0, 1)),
  name text not null,
  -- ISO 4217 code of the amounts that are keyed in; null: they are in tokens.
  price_currency text,
  -- What a sale asks for first; null: the customer chooses.
  network text,
  currency text,
  -- HMAC of the PIN, with a key that is not in the database.
  pin_mac text not null,
  -- Wrong PINs since the last right one; at the limit the till is blocked until an owner unblocks it.
  wrong_pins integer not null,
  -- Wrong PINs of the week that began then, which right ones do not forgive.
  week_wrong_pins integer not null,
  week_began_at_ms integer not null,
  -- The link that pairs a device, once; only its token's hash. Null: none is open.
  pairing_sha256 text unique,
  pairing_ends_at_ms integer,
  -- The paired device: the hash of its cookie's value. Null: none.
  device_sha256 text unique,
  browser text,
  device_ends_at_ms integer,
  -- The PIN was entered and is good until then.
  open_until_ms integer,
  last_used_at_ms integer,
  created_at_ms integer not null,
  removed_at_ms integer
) strict, without rowid;

create index tills_by_merchant on tills (merchant_id, created_at_ms);

-- The sales of tills: each is a payment link for one payment.
create table till_sales (
  link_id text primary key references payment_links (id),
  till_id text not null references tills (id),
  created_at_ms integer not null
) strict, without rowid;

create index till_sales_by_till on till_sales (till_id, created_at_ms);

-- ============ Mail and notices (notice) ============

-- Receipts that customers asked for by e-mail: one for each payment. The address is deleted as soon as the mail was sent or given up.
create table receipt_mails (
  payment_id text primary key references payments (id),
  merchant_id text not null references merchants (id),
  -- Sealed; null: sent or given up.
  address text,
  -- Keyed digest of the address, for the bound of one address; null: more than a day old.
  address_digest text,
  -- Keyed digest of the network of the client who requested it, for that client's share; null: the merchant, or more than a day old.
  client_digest text,
  language text not null,
  attempts integer not null,
  -- Addresses that the mail server refused, or never took the mail for; 0: sent, or not ended yet.
  given_up integer not null default 0,
  -- When the next attempt is due; null: sent or given up.
  due_at_ms integer,
  created_at_ms integer not null
) strict, without rowid;

create index receipt_mails_due on receipt_mails (due_at_ms) where due_at_ms is not null;
create index receipt_mails_by_address on receipt_mails (address_digest, created_at_ms) where address_digest is not null;
create index receipt_mails_by_merchant on receipt_mails (merchant_id, created_at_ms);

-- Where a person gets notices: an address, a browser, a chat. A person has a bounded number of them.
create table notice_channels (
  id text primary key,
  merchant_id text not null references merchants (id),
  person_id text not null references people (id),
  kind text not null check (kind in ('email', 'push', 'telegram', 'slack')),
  -- Sealed: an address, a subscription as JSON, or a URL that holds a key.
  target text not null,
  -- Keyed digest of the target: nobody adds one twice.
  target_digest text not null,
  -- What people recognize it by, without its secret parts.
  label text not null,
  -- The chosen kinds of notices, as JSON.
  kinds text not null,
  language text not null,
  -- Where the person reached the dashboard: notices link to it where no public URL is configured.
  origin text not null,
  -- Null: an address whose owner has not confirmed it. It gets nothing but the link that does.
  confirmed_at_ms integer,
  -- The first failure since the last success; null: it works.
  failing_since_ms integer,
  created_at_ms integer not null,
  unique (person_id, target_digest)
) strict, without rowid;

create index notice_channels_by_merchant on notice_channels (merchant_id);
create index notice_channels_unconfirmed on notice_channels (created_at_ms) where confirmed_at_ms is null;

-- Channels that were added, for a day: their first messages are bounded, whether the channels are still there or not.
create table notice_additions (
  number integer primary key autoincrement,
  merchant_id text not null references merchants (id),
  person_id text not null references people (id),
  target_digest text not null,
  created_at_ms integer not null
) strict;

create index notice_additions_by_merchant on notice_additions (merchant_id, created_at_ms);
create index notice_additions_by_person on notice_additions (person_id, created_at_ms);
create index notice_additions_by_target on notice_additions (target_digest, created_at_ms);
create index notice_additions_by_time on notice_additions (created_at_ms);

-- The outbox of notices: one subject to one channel, once. Rows are deleted a week after they were sent or given up.
create table notices (
  number integer primary key autoincrement,
  channel_id text not null references notice_channels (id),
  -- What it is about, such as a kind and a payment.
  subject text not null,
  kind text not null,
  facts text not null,
  attempts integer not null,
  -- Null: sent, or given up.
  due_at_ms integer,
  -- Several with one message were sent as one summary; null: no attempt yet.
  message text,
  sent_at_ms integer,
  created_at_ms integer not null,
  unique (channel_id, subject)
) strict;

create index notices_due on notices (due_at_ms, channel_id) where due_at_ms is not null;
create index notices_by_channel on notices (channel_id, sent_at_ms);
create index notices_done on notices (created_at_ms) where due_at_ms is null;

-- The number of the newest event that notices were made of.
create table notice_cursor (
  id integer primary key check (id = 1),
  event_number integer not null
) strict;

-- What is wrong and concerns a merchant, by its cause.
create table notice_troubles (
  merchant_id text not null references merchants (id),
  cause text not null,
  facts text not null,
  is_open integer not null check (is_open in (0, 1)),
  -- When it began or, once it is over, ended.
  since_ms integer not null,
  -- The newest notice about the cause; null: none.
  notified_at_ms integer,
  -- Whether there was a notice since it began.
  is_notified integer not null check (is_notified in (0, 1)),
  primary key (merchant_id, cause)
) strict, without rowid;

-- The keys by which push services know this service (VAPID).
create table push_keys (
  id integer primary key check (id = 1),
  public_key text not null,
  private_key text not null
) strict;

-- ============ Stores (stores) ============

-- The pairings of shops' plug-ins, which call BTCPay's Greenfield API. Only the key's hash is stored.
create table store_keys (
  id text primary key,
  key_sha256 text not null unique,
  merchant_id text not null references merchants (id),
  -- The name that the plug-in gave itself.
  label text not null,
  -- JSON array of Greenfield permissions, without the store.
  permissions text not null,
  -- The origin of the shop, whose pages may frame the payment page. Null: paired without one.
  shop_origin text,
  person_id text not null references people (id),
  created_at_ms integer not null,
  revoked_at_ms integer
) strict, without rowid;

create index store_keys_by_merchant on store_keys (merchant_id, created_at_ms);

-- What a plug-in's invoice has beside its payment link, whose id is the invoice's.
create table store_invoices (
  number integer primary key,
  link_id text not null unique references payment_links (id),
  merchant_id text not null references merchants (id),
  store_key_id text not null references store_keys (id),
  -- Of the metadata, to search by. Several invoices may have the same.
  order_id text,
  -- JSON as the plug-in sent it, and the options of the checkout that it asked for.
  metadata text not null,
  checkout text not null,
  -- Left out of lists; it is paid and reported as any other.
  archived integer not null default 0 check (archived in (0, 1)),
  -- By hand, and when.
  marked text check (marked in ('Settled', 'Invalid')),
  marked_at_ms integer,
  -- JSON of what the webhooks have reported so far, and the number of the newest.
  reported text not null,
  sequence integer not null default 0,
  -- When the invoice may change without an event of a payment: it expires. Null: never.
  due_at_ms integer,
  created_at_ms integer not null
) strict;

create index store_invoices_by_merchant on store_invoices (merchant_id, number);
create index store_invoices_by_order on store_invoices (merchant_id, order_id);
create index store_invoices_due on store_invoices (due_at_ms) where due_at_ms is not null;

-- The newest event of a payment that invoices were compared with.
create table store_cursor (
  id integer primary key check (id = 1),
  event_number integer not null
) strict;
