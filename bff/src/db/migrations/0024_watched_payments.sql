-- What the watchers of the chains ask: which payments may still receive money, and to whom an address or a splitter belongs. A start
-- reads none of them, and a block only those that its transfers name.
create index payments_watched on payments (network, mode, window_ends_at_ms, number) where is_test = 0;
create index payments_by_splitter on payments (network, splitter, window_ends_at_ms) where splitter is not null;

-- Chains write addresses in lower case.
drop index payments_by_deposit_address;
create index payments_by_deposit_address on payments (lower(deposit_address)) where deposit_address is not null;
