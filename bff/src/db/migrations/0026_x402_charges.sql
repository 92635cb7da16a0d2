-- Requests of a merchant's server that are paid by x402: each has a payment of its own, which pays one request.
create table x402_charges (
  payment_id text primary key references payments (id),
  -- The address of what is paid for.
  resource text not null,
  -- When the request was answered that the payment paid; null: not yet.
  used_at_ms integer
) strict, without rowid;
