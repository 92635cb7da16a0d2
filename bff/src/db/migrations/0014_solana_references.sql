-- What a wallet payment is known by on chain: on Solana a transaction is asked whether it names another payment.
create index payments_by_terms on payments (network, terms_hash) where terms_hash is not null;
