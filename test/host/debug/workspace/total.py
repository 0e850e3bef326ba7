def total(prices):
    sum = 0
    for price in prices:
        sum += price
    return sum


print("The total is", total([10, 20]))
