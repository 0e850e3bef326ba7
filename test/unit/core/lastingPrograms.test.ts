import assert from 'node:assert/strict';
import { literalCommand } from '../../../src/core/literalWords.ts';

const linesOf = (text: string) =>
  text
    .split(/[\n│]/)
    .map((line) => line.trim())
    .filter(Boolean);

const ALLOWED = {
  'of every day': `
    npm test │ pytest -q │ cargo test │ go test ./... │ make test │ tsc --noEmit │ eslint . │ git status`,
  'that look at files, or change them': `
    cat /etc/hosts │ ls -la src │ grep -rn --include=a.ts word . │ rg -n word │ echo -e one
    mkdir -p build/out │ rm -rf dist │ head -n 20 a.txt │ wc -l a.txt │ jq -e .name package.json`,
  'of git': `
    git diff --stat main..HEAD -- src │ git --no-pager log --oneline -5 │ git show HEAD:src/a.ts
    git add -A │ git commit -m 'two words' │ git grep -n word │ git --version`,
  'that test': `
    pytest -x -q tests/test_a.py::test_b -k "a and not b" --tb=short -n 4 │ jest --runInBand --coverage src
    vitest run │ mocha test/a.test.js --timeout 5000 │ playwright test --project=chromium
    rspec spec/models --format documentation │ go test -race -count=1 -run TestOne ./...
    cargo test --release --workspace -p one -- --nocapture │ make -j8 -k check │ make -C build all
    just test │ ./gradlew test │ ./mvnw -q package │ dotnet test │ rake db:migrate`,
  'that check, build and format': `
    eslint . --ext .ts --fix --max-warnings 0 │ prettier --check . │ biome check --write src
    node_modules/.bin/tsc -p tsconfig.json │ ./node_modules/.bin/eslint --cache . │ .venv/bin/pytest -q
    venv/bin/ruff check │ ruff check --fix . │ black --check . │ mypy src │ pyright
    cargo clippy --all-targets --all-features │ go build -o bin/one ./cmd/one │ go vet ./... │ vite build`,
  'that run a file': `
    node scripts/one.ts --depth=3 /tmp/out │ node --test test/a.test.js │ node --test │ node --test src
    node . │ node --version │ node ./node_modules/jest/bin/jest.js -i │ python manage.py test
    python3 -u tools/one.py │ python3.12 -m pytest -x tests
    python -m unittest discover -s tests │ python -m mypy src │ ruby test/one_test.rb │ php artisan test
    tsx src/one.ts`,
};

const REFUSED = {
  'run what other words say': `
    sudo make │ env make │ /usr/bin/env make │ 'env' make │ "e"nv make │ ENV make │ command make
    builtin echo │ bash a.sh │ bash-5.2 a.sh │ /bin/sh a.sh │ sh a.sh │ . ./a.sh │ .. a │ source a.sh
    xargs rm │ time make │ timeout 1 make │ nohup make │ nice make │ eval make │ test -v a │ let a
    trap a EXIT │ if a │ find . -delete │ sed 1e a │ awk a
    tar -I sh -cf a.tar a │ tar cf a --to-command=sh │ sort --compress-program=sh a │ xvfb-run make
    dbus-run-session make │ /lib64/ld-linux-x86-64.so.2 /bin/sh │ ld.so /bin/sh │ proot sh │ rlwrap sh
    i386 sh │ linux64 sh │ dotenv make │ cross-env make │ guile -c 1 │ elixir -e 1 │ groovy -e 1
    nodemon --exec make │ concurrently make │ mise exec -- make │ asdf exec make │ rbenv exec make
    pyenv exec make │ direnv exec . make │ nix run a │ nix-shell --run make │ hyperfine make │ entr make
    parallel make`,
  'run packages, or scripts that the approval is not bound to': `
    npx tsc │ bunx tsc │ corepack npm test │ uv run pytest │ uvx ruff │ poetry run pytest │ pdm run pytest
    hatch run test │ rye run test │ pipenv run pytest │ pipx run ruff │ bundle exec rspec │ composer test
    deno task test │ deno run build │ turbo run build │ nx run one:build │ lerna run build │ run-s build
    run-p build │ npm-run-all build │ rushx build │ rush build │ nps build │ wireit build
    node_modules/.bin/turbo run build │ ./node_modules/.bin/npm test
    node node_modules/npm/bin/npm-cli.js test │ node node_modules/turbo/bin/turbo run build
    node .yarn/releases/yarn-4.9.1.cjs test │ node Node_Modules/.bin/lerna run build │ vitest init browser
    eslint --init │ mypy --install-types │ go run example.com/one@latest
    mvn exec:exec │ mvn org.codehaus.mojo:exec-maven-plugin:3.0.0:java`,
  'reach other machines': `
    ssh host make │ docker run one │ docker compose up │ podman run one │ kubectl exec one
    rsync -e sh a b:c │ scp a b:c │ curl https://example.com`,
  'are other subcommands or flags of git': `
    git │ git rebase -x make │ git rebase --exec make │ git bisect run make │ git submodule foreach make
    git filter-branch --tree-filter make │ git difftool -x make │ git push │ git pull │ git clone a
    git config core.pager make │ git fetch --upload-pack=make a │ git push --receive-pack=make a
    git -c core.pager=make log │ git -C ../b status │ git --no-pager -c core.pager=make log
    git --exec-path=. status │ git --config-env=a=b log │ git grep -Omake word │ git grep -nOmake word
    git grep --open-files-in-pager=make word │ git grep --op=make word │ git log -p --ext-diff
    git log -p --ext-d`,
  'name a program in a flag': `
    go build -toolexec make ./... │ go build --toolexec=make ./... │ go test -exec make ./...
    go vet -vettool=make ./... │ go build -ldflags -extld=make │ go build -ldflags '-s -extld=make'
    rg --pre make word │ rg --pre=make word │ rg --hostname-bin=make word
    cargo --config build.rustc-wrapper=make build │ cargo build --config build.rustc-wrapper=make
    cargo build -Zhost-config
    make SHELL=make │ make CC:=make │ make 'CC = make' │ make --eval=all │ make --eva=all │ make -Eall
    make -kE all │ just --shell make │ just -c make │ just --chooser make │ rake -e 1 │ gcc a.c
    diff3 --diff-program=make a b c │ cp a .vscode/tasks.json │ git log -1 --format=%B --output=a
    python -m unittest discover -vs/tmp/x │ tsc -bp/tmp │ jest -ic/tmp/x.js │ cmake --build build
    prettier --plugin=data:text/javascript,a b.js │ vitest --typecheck.checker=make run
    pytest -d --tx=popen//python=make │ gradle -Dorg.gradle.jvmargs=-XX:OnError=make test
    mvn -Dexec.executable=make test │ mypy --python-executable make . │ mypy --python-exec=make .
    pyright --pythonpath make
    dotnet build -p:PreBuildEvent=make │ dotnet build --property:PreBuildEvent=make │ dotnet test -e A=b
    mocha -n require=a │ mocha --node-option=require=a │ vitest --poolOptions.forks.execArgv=--require=a`,
  'bring code, or take it from elsewhere': `
    node │ node - │ node -e 1 │ node -e1 │ node '-e1' │ node -pe 1 │ node --eval=1
    node --import ./a.js b.js │ node -r ./a.js b.js │ node --test -e 1 │ node --test '' │ node ''
    node /tmp/a.js │ node ../a.js │ node ../node_modules/.bin/jest │ node /tmp/node_modules/jest/bin/jest.js
    node src/../../a.js │ node -m │ deno eval 1 │ python │ python -v
    python3 -c 'import os' │ python3 -cpass │ python3.12 -u -c pass
    python -m pdb -c a │ python -m pip install a │ python -m timeit a │ perl -ne 1 │ ruby -e1
    php -r 1 │ php -B a.b │ java -jar a.jar │ tsx watch a.ts
    pytest -p a │ pytest -qpa │ pytest -c a.ini │ pytest -o addopts=-pa │ pytest --pdbcls=a:b
    pytest /tmp/test_a.py │ pytest ../test_a.py │ pylint --init-hook=a │ pylint --init-hook 'import a'
    mocha -r a │ mocha --require a │ mocha --loader=a │ rspec -ra │ rspec --req a
    make -f - │ make -f /tmp/a.mk │ make -C /tmp │ eslint -c /tmp/a.js . │ eslint --config=../a.js .
    jest --config=/tmp/a.js`,
  'are programs by a path': `
    /usr/bin/make │ ./make │ ./a.sh │ ../gradlew test │ a/gradlew test │ bin/rails test
    ./node_modules/.bin/../a │ node_modules/.bin/a │ a/node_modules/.bin/tsc │ a/.venv/bin/pytest`,
};

describe('core/lastingPrograms', () => {
  for (const [what, lines] of Object.entries(ALLOWED))
    it(`allows commands ${what}`, () => {
      for (const line of linesOf(lines)) assert.ok(literalCommand(line, 'linux'), line);
    });

  for (const [what, lines] of Object.entries(REFUSED))
    it(`refuses commands that ${what}`, () => {
      for (const line of linesOf(lines)) assert.equal(literalCommand(line, 'linux'), undefined, line);
    });
});
