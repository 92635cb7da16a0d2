import { benchHttp } from './http.ts'

for (const m of await benchHttp()) process.stdout.write(`${m.value} ${m.unit} ${m.name}\n`)
