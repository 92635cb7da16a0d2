-- What the customer was asked for in a currency, as decimal text; the units of the currency for one whole token, and the time of that
-- rate. All four or none.
alter table payments add column price text;
alter table payments add column price_currency text;
alter table payments add column rate text;
alter table payments add column rate_at_ms integer;
-- Where the customer is led back to once the payment has ended.
alter table payments add column return_url text;
