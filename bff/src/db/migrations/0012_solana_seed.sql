-- What the owners of deposit addresses on Solana are derived from. Sealed.
create table solana_seed (
  id integer primary key check (id = 1),
  sealed text not null
) strict;
