import vm from 'node:vm';

/** By file: its code, and what V8 has compiled it to. */
const compiled = new Map();

/** Node 20 refuses each import() of code that comes from here. */
const isDynamic = (code) => /\bimport\s*\(/.test(code);

function knownOf(file, code) {
  const known = compiled.get(file);
  return known?.code === code ? known.data : undefined;
}

/**
 * Each test file has modules of its own, some two thousand, and compiling them is a quarter of what loading them costs. What V8 made of them for
 * one file serves the next ones of the same process.
 */
export function keepCompiledCode() {
  const { SourceTextModule, compileFunction } = vm;
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(code, options) {
      if (isDynamic(code)) {
        super(code, options);
        return;
      }
      const { identifier } = options;
      const cachedData = knownOf(identifier, code);
      super(code, cachedData === undefined ? options : { ...options, cachedData });
      if (cachedData === undefined) compiled.set(identifier, { code, data: this.createCachedData() });
    }
  };
  vm.compileFunction = (code, params, options) => {
    if (isDynamic(code)) return compileFunction(code, params, options);
    const { filename } = options;
    const cachedData = knownOf(filename, code);
    if (cachedData !== undefined) return compileFunction(code, params, { ...options, cachedData });
    const made = compileFunction(code, params, { ...options, produceCachedData: true });
    compiled.set(filename, { code, data: made.cachedData });
    return made;
  };
}
