/** Rules of style that oxlint does not have. */

const privateNames = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const check = (node) => {
      if (node.accessibility !== 'private' || node.kind === 'constructor') return;
      context.report({
        node: node.key,
        message: 'Members are private by #name; `private` is for constructors.',
      });
    };
    return { MethodDefinition: check, PropertyDefinition: check };
  },
};

const isOwn = (source) => source.startsWith('.');
const inOrder = ({ source: { value: a } }, { source: { value: b } }) =>
  Number(isOwn(a)) - Number(isOwn(b)) || (a < b ? -1 : Number(a > b));

/** What is imported for its effect alone stays where it is: its place may matter. */
const importOrder = {
  meta: { type: 'layout', fixable: 'code', schema: [] },
  create(context) {
    const check = (imports) => {
      const sorted = imports.toSorted(inOrder);
      const at = imports.findIndex((node, index) => node !== sorted[index]);
      if (at === -1) return;
      const { text } = context.sourceCode;
      const range = [imports[0].range[0], imports.at(-1).range[1]];
      const between = imports
        .slice(1)
        .map((node, index) => text.slice(imports[index].range[1], node.range[0]));
      const fix = (fixer) =>
        fixer.replaceTextRange(range, sorted.map((node) => context.sourceCode.getText(node)).join('\n'));
      context.report({
        node: imports[at],
        message: 'Imports stand in the order of their paths, those of packages first.',
        fix: between.every((gap) => gap.trim() === '') ? fix : null,
      });
    };
    return {
      Program({ body }) {
        let run = [];
        for (const node of body) {
          if (node.type === 'ImportDeclaration' && node.specifiers.length > 0) run.push(node);
          else if (run.length > 0) {
            check(run);
            run = [];
          }
        }
        if (run.length > 0) check(run);
      },
    };
  },
};

/** What a value that was thrown is called everywhere. */
const THROWN = /^(error|thrown|failure)$/;
const isThrown = (node) => node?.type === 'Identifier' && THROWN.test(node.name);

/** Anything can be thrown: what throws again where it is read, or says what PostgreSQL cannot store. */
const thrownValues = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node) =>
      context.report({
        node,
        message: 'What was thrown is read by messageOf(), nameOf() and stackOf() of common/message-of.ts.',
      });
    return {
      MemberExpression(node) {
        const { object, property, computed } = node;
        if (!computed && isThrown(object) && /^(message|name|stack)$/.test(property.name)) report(node);
      },
      CallExpression(node) {
        if (node.callee.name === 'String' && isThrown(node.arguments[0])) report(node);
      },
      TemplateLiteral(node) {
        for (const part of node.expressions) if (isThrown(part)) report(part);
      },
    };
  },
};

export default {
  meta: { name: 'style' },
  rules: { 'private-names': privateNames, 'import-order': importOrder, 'thrown-values': thrownValues },
};
