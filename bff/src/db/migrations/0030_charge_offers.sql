-- Requests that nobody pays must not make payments without end: beyond a bound, what was offered longest ago is offered again.
-- A digest of the merchant, the resource and everything else that the payment was made of; null: made before this.
alter table x402_charges add column terms_digest text;
alter table x402_charges add column offered_at_ms integer;

create index x402_charges_offered on x402_charges (terms_digest, offered_at_ms) where used_at_ms is null;
