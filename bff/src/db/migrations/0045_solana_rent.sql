-- For whom the service made a token account, while the account is there: the public key and the client's digest that the payment was
-- created with; null: with API key and secret. Rent is bounded by them.
alter table solana_accounts add column public_key text;
alter table solana_accounts add column client text;
