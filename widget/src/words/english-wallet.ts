export const wallet = {}
