import { measureInTurn } from '../rounds.ts'
import { graphSends } from '../sends.ts'
import { freshSends } from '../traffic.ts'
import { type Figures, shownRatio } from './figures.ts'
import { loadCells, loadHeadings, ratioOf, roundSeconds, sending, warm, warmConnections } from './loads.ts'
import { openAll, programsOf, type Run, shownMemory } from './profile.ts'

const title = '`/graph`'

/** The send of the platform's own clients beside that of the partner API, without a key: `/graph` has none. */
export async function* graphFigures(run: Run): AsyncIterable<Figures> {
  const ours = run.peers.filter(peer => peer.isHere && peer.isOurs)
  const all = await openAll({ ...run, peers: ours }, 'graph', 0)
  const rows: string[][] = []
  for (const each of all) {
    const { peer, opened } = each
    const token = (await opened.graphToken?.()) ?? ''
    const [usual, graph] = [
      sending(run, each, `${peer.name}, /messages/send`, round => freshSends('text', opened.key, round)),
      sending(run, each, `${peer.name}, /graph`, round => graphSends(token, round)),
    ].map(side => side(warmConnections))
    if (usual === undefined || graph === undefined) throw new Error('two sides were made')
    await warm(run, peer.name, usual)
    await warm(run, `${peer.name}, /graph`, graph)
    console.error(`${title} of ${peer.name} …`)
    const pace = { warmUpSeconds: roundSeconds, seconds: roundSeconds, rounds: run.rounds }
    const [sends = [], graphs = []] = await measureInTurn([usual, graph], pace, 1)
    const memory = shownMemory(opened.memory())
    rows.push([...loadCells(`${peer.name}, \`/messages/send\``, sends), memory, ''])
    rows.push([
      ...loadCells(`${peer.name}, \`/graph\``, graphs),
      memory,
      shownRatio(ratioOf(graphs, sends, 'perSecond')),
    ])
  }
  yield {
    title,
    how: [
      `${warmConnections} connections, ${run.rounds} rounds of ${roundSeconds} s of each call in turn`,
      ...programsOf(all),
    ],
    headings: [...loadHeadings, 'sends against `/messages/send`'],
    rows,
    notes: [],
  }
}
