export const pictures: readonly { name: string }[]
