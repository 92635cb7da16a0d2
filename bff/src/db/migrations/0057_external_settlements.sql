-- Settlements by somebody else that count as sweeps, and that a reorg deeper than the confirmations may still take back.
create table external_settlements (
  network text not null,
  payment_id text not null references payments (id),
  tx_id text not null,
  -- The block that the transaction was found in.
  block integer not null,
  primary key (network, payment_id)
) strict, without rowid;
