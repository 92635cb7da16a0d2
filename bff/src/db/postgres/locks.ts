/** Advisory locks of the service in its database: a class of our own (the letters `chk` as a number), and one number each. */
const ours = 0x63686b

export const locks = {
  /** Held by each group of writes until its commit. */
  writers: `${ours}, 1`,
  /** Held while the schema is brought forward. */
  migration: `${ours}, 2`,
} as const
