-- The token accounts of live deposits on Solana: how far each was read, and whether it is there.
create table solana_accounts (
  payment_id text primary key references payments (id),
  network text not null,
  -- Of the associated token account of the deposit's owner and its mint.
  address text not null,
  -- wanted: to be made for the customer; open: made, as far as it was ours to make; closed: gone, its rent is back.
  state text not null check (state in ('wanted', 'open', 'closed')),
  -- When the next thing is to be done with it: made while it is wanted, closed once it is open and empty.
  due_at_ms integer not null,
  -- What was in it when its transactions were last read to the end, in base units; null: they must be read again.
  read_amount text,
  -- The newest of its transactions that was read; null: none.
  read_to text
) strict, without rowid;

create index solana_accounts_due on solana_accounts (network, state, due_at_ms);
create index solana_accounts_unread on solana_accounts (network) where read_amount is null;

-- Accounts that an outgoing transaction makes or closes.
create table outgoing_accounts (
  transaction_id text not null,
  payment_id text not null references payments (id),
  primary key (transaction_id, payment_id)
) strict, without rowid;

create index outgoing_accounts_by_payment on outgoing_accounts (payment_id);

-- Of a transaction on Solana, which has no nonce (0 stands there): what it does, and the last block height that may hold it.
alter table outgoing_transactions add column purpose text check (purpose in ('open', 'sweep', 'refund', 'close'));
alter table outgoing_transactions add column last_valid_height integer;
