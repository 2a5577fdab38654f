#!/usr/bin/env node
// harness-flags: the options of the harnesses' headless modes, as the help of the programs from npm names them.
// node scripts/harness-flags.mjs FOLDER > tests/data/harness-flags.txt
// installs the programs into FOLDER where they are not there yet (about 1 GB). Nothing but their help is asked for: no
// service is called, and HOME is an empty folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const harnesses = [
  { name: 'claude', npm: '@anthropic-ai/claude-code', help: ['--help'] },
  { name: 'codex', npm: '@openai/codex', help: ['exec', '--help'] },
  { name: 'gemini', npm: '@google/gemini-cli', help: ['--help'] },
  { name: 'opencode', npm: 'opencode-ai', help: ['run', '--help'] },
]
if (!process.argv[2]) {
  console.error('usage: node scripts/harness-flags.mjs FOLDER')
  process.exit(2)
}
const folder = resolve(process.argv[2])
const home = join(folder, 'home')
mkdirSync(home, { recursive: true })
const missing = harnesses.filter(h => !existsSync(join(folder, 'node_modules', h.npm)))
if (missing.length)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...missing.map(h => h.npm)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
const setup = join(folder, 'node_modules/@anthropic-ai/claude-code/install.cjs')
if (existsSync(setup)) execFileSync('node', [setup], { cwd: join(setup, '..'), stdio: 'ignore' })

// One line an option: its long names, and the values it may have.
function options(help) {
  const found = new Map()
  let text = ''
  const finish = () => {
    const names = text.match(/^\s*(?:-\w, )?((?:--[\w-]+(?:, )?)+)/)
    const values = text.match(/(?:choices|possible values):\s*([^)\]]*)/)
    if (names)
      for (const name of names[1].split(', ').filter(Boolean))
        found.set(name, values ? values[1].replace(/"/g, '').split(/,\s*/).map(v => v.trim()).join('|') : '')
  }
  for (const line of help.split('\n')) {
    if (/^ {2,8}(-\w, )?--[\w-]+/.test(line)) {
      finish()
      text = line
    } else text += ' ' + line.trim()
  }
  finish()
  return found
}

console.log('# The options of the headless modes, as the help of each program names them, and the values they take.')
console.log('# Written by scripts/harness-flags.mjs; tests/unit/engine/run/test_adapter.c compares the command lines with it.')
for (const { name, npm, help } of harnesses) {
  const version = JSON.parse(readFileSync(join(folder, 'node_modules', npm, 'package.json'), 'utf8')).version
  const { stdout, stderr } = spawnSync(join(folder, 'node_modules/.bin', name), help, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' },
  })
  console.log(`\n${name} ${npm} ${version}: ${[name, ...help].join(' ')}`)
  for (const [option, values] of [...options(stdout + stderr)].sort()) console.log(`  ${option}${values ? ' ' + values : ''}`)
}
