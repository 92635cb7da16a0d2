/** The longest address of any network: 32 bytes in base58. */
const addressMax = 44

const beginning = 8

/** A text given as an address, safe for messages: people paste private keys by mistake, and messages end up in logs and tickets. */
export const shownAddress = (text: string): string => (text.length > addressMax ? `${text.slice(0, beginning)}…` : text)
