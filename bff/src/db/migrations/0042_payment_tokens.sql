-- The tokens that live payments were made with: they are watched for, whatever the configuration names now.
create table payment_tokens (
  network text not null,
  -- As the payments have it.
  address text not null,
  symbol text not null,
  decimals integer not null,
  primary key (network, address)
) strict, without rowid;

insert into payment_tokens (network, address, symbol, decimals)
select network, token_address, min(currency), min(token_decimals)
  from payments where is_test = 0 group by network, token_address;
