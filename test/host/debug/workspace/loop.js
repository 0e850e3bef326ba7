let turns = 0;
for (;;) turns++;
