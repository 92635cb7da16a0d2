-- As second_reads, for money that no payment asked for.
create table unmatched_second_reads (
  network text not null,
  from_block integer not null,
  to_block integer not null,
  primary key (network, from_block, to_block)
) strict, without rowid;
