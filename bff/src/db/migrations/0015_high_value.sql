-- Confirmations wanted for a payment of high value; null where the network's are enough.
alter table payments add column confirmations integer;
