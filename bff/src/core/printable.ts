/** Control characters and marks that change the text direction: text that contains them could rearrange a sentence, or a terminal. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Text of others for display, as one line. */
export const printable = (text: string): string => text.replaceAll(unprintable, ' ')

/** The same with its lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
