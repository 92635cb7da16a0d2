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

-- The newest payment of all networks whose account is in the table above, if it has one.
create table split_cursors (
  network text primary key,
  payment_number integer not null
) strict, without rowid;
