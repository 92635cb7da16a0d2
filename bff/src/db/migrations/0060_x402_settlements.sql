-- Prices are compared by price_digest since migration 50: nothing reads the digest of all terms.
drop index x402_charges_offered;
alter table x402_charges drop column terms_digest;

-- The call of the facilitator that was the first to settle a payment and waits for it now. Only this call has the success: its proof can be read
-- on the chain while it waits, and nothing in a proof says who presents it.
create table x402_settlements (
  payment_id text primary key references payments (id),
  call_id text not null,
  -- A call that is longer than this has died with its process.
  ends_at_ms integer not null
) strict, without rowid;
