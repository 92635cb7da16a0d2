// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Uses all the gas that it gets when coins come.
contract GasBurner {
    receive() external payable {
        while (true) {}
    }
}

/// @dev Writes one new and one known slot and emits an event, more than a Safe does.
contract CountingWallet {
    event Received(address indexed from, uint256 amount);

    uint256 public count = 1;
    mapping(address from => uint256) public amounts;

    receive() external payable {
        count += 1;
        amounts[msg.sender] += msg.value;
        emit Received(msg.sender, msg.value);
    }
}
