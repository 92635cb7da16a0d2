-- What customers signed instead of sending a transaction (ERC-3009): the operator sends the call and pays its gas. Checked and simulated
-- before a row is written. An authorization is used once on its chain, so that it has one row here, whatever a client repeats.
create table authorizations (
  id text primary key,
  payment_id text not null references payments (id),
  network text not null,
  -- Token and payer in lower case.
  token text not null,
  payer text not null,
  nonce text not null,
  -- Base units of the token.
  amount text not null,
  -- The call: the contract, and the data.
  target text not null,
  data text not null,
  -- A digest of the client's address; null: a merchant's server.
  client text,
  -- The most that the call costs, as planned, in millionths of a dollar.
  cost_micros integer not null,
  -- `queued`: to be sent. `sent`: in a transaction of `outgoing_transactions`. `confirmed`: final. `failed`: `code` and `reason` say why.
  state text not null check (state in ('queued', 'sent', 'confirmed', 'failed')),
  transaction_id text,
  code text,
  reason text,
  send_before_ms integer not null,
  created_at_ms integer not null,
  unique (network, token, payer, nonce)
) strict, without rowid;

create index authorizations_open on authorizations (network, state, created_at_ms);
create index authorizations_by_payment on authorizations (payment_id);
create index authorizations_by_transaction on authorizations (transaction_id) where transaction_id is not null;
create index authorizations_by_payer on authorizations (payer, created_at_ms);
create index authorizations_by_client on authorizations (client, created_at_ms) where client is not null;

-- The most that a merchant lets the gas of a payment by signature cost: a share of the payment in basis points, but not less than the
-- first amount and not more than the second, in millionths of a dollar.
alter table merchants add column signature_gas_bps integer not null default 100;
alter table merchants add column signature_gas_min_micros integer not null default 20000;
alter table merchants add column signature_gas_max_micros integer not null default 1000000;
