/** The class of the service's advisory locks in its database (the letters `chk` as a number). Each lock has a number in it. */
const ours = 0x63686b

export const locks = {
  /** Held by each group of writes until its commit. */
  writers: `${ours}, 1`,
  /** Held while the schema is migrated. */
  migration: `${ours}, 2`,
} as const
