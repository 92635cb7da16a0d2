-- From now on payment_tokens has every token that was ever configured; of those that left the configuration before, it has those in
-- which unmatched money is booked. The zero address is the chain's own coin.
insert into payment_tokens (network, address, symbol, decimals)
select network, token, min(currency), min(decimals)
  from strays
 where token <> '0x0000000000000000000000000000000000000000'
   and not exists (select 1 from payment_tokens k where k.network = strays.network and lower(k.address) = lower(strays.token))
 group by network, token;
