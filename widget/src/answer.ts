export { amount, parseAnswer, record, text } from './api/parse-answer.ts'
