-- Each attempt to send what a customer signed has a row of its own, and keeps what it cost: an authorization that failed and is taken again
-- is another row. At most one row of an authorization has not failed. `external`: somebody else brought it to the chain, in `external_tx_id`.
create table authorization_attempts (
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
  -- A digest of what only the presenter of the proof was given; null: it was given nothing.
  presenter text,
  -- The most that the call costs, as planned, in millionths of a dollar.
  cost_micros integer not null,
  -- `queued`: to be sent. `sent`: in a transaction of `outgoing_transactions`. `confirmed`: final. `failed`: `code` and `reason` say why.
  state text not null check (state in ('queued', 'sent', 'confirmed', 'failed', 'external')),
  transaction_id text,
  external_tx_id text,
  code text,
  reason text,
  send_before_ms integer not null,
  created_at_ms integer not null
) strict, without rowid;

insert into authorization_attempts (id, payment_id, network, token, payer, nonce, amount, target, data, client, cost_micros, state,
                                    transaction_id, code, reason, send_before_ms, created_at_ms)
select id, payment_id, network, token, payer, nonce, amount, target, data, client, cost_micros, state,
       transaction_id, code, reason, send_before_ms, created_at_ms
  from authorizations;

drop table authorizations;
alter table authorization_attempts rename to authorizations;

create unique index authorizations_once on authorizations (network, token, payer, nonce) where state <> 'failed';
create index authorizations_by_nonce on authorizations (network, token, payer, nonce);
create index authorizations_open on authorizations (network, state, created_at_ms);
create index authorizations_by_payment on authorizations (payment_id);
create index authorizations_by_transaction on authorizations (transaction_id) where transaction_id is not null;
create index authorizations_by_payer on authorizations (payer, created_at_ms);
create index authorizations_by_client on authorizations (client, created_at_ms) where client is not null;
create index authorizations_by_time on authorizations (network, created_at_ms);
