-- Charges that nobody pays are bounded for each price and each merchant too, because resources are without number: a query makes another one.
-- A digest of the merchant, the price and everything else that the payment was made of, but the resource; null: made before this.
alter table x402_charges add column price_digest text;
alter table x402_charges add column merchant_id text;

create index x402_charges_by_price on x402_charges (price_digest, offered_at_ms) where used_at_ms is null;
create index x402_charges_by_merchant on x402_charges (merchant_id, offered_at_ms) where used_at_ms is null;
