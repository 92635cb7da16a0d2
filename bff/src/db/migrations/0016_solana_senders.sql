-- Of a wallet payment on Solana: who said at create that plain transfers, which name no payment, would come from it, and the
-- newest slot then.
alter table payments add column sender_address text;
alter table payments add column sender_after_slot integer;
-- The merchant has given back the whole amount that came too late.
alter table payments add column late_returned integer not null default 0;
-- Whether a transaction took money out of a deposit's account.
create index solana_accounts_by_address on solana_accounts (network, address);
